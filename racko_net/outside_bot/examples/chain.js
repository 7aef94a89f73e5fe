// A bot for racko that keeps the longest chain of rising cards with room for the others between.
// Nothing but Node is needed. Play against it:  racko play --bots "exec:node chain.js"

const readline = require("node:readline");

let cards = 40; // the hello tells how many there are

// How many cards of a rack can stay: a chain that rises, with a number for each slot between.
function kept(rack) {
  const best = [];
  for (let slot = 0; slot < 10; slot++) {
    const fits = rack[slot] >= slot + 1 && cards - rack[slot] >= 9 - slot;
    best[slot] = fits ? 1 : 0;
    for (let front = 0; fits && front < slot; front++) {
      const room = rack[slot] - rack[front] >= slot - front;
      if (best[front] && room) best[slot] = Math.max(best[slot], best[front] + 1);
    }
  }
  return Math.max(...best);
}

// The slot where a card helps most, the nearest to where its number belongs; 0 for none.
function place(rack, card) {
  const off = (slot) => Math.abs(slot - 0.5 - (10 * (card - 0.5)) / cards);
  let most = kept(rack);
  let found = 0;
  for (const slot of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].sort((a, b) => off(a) - off(b))) {
    const after = rack.slice();
    after[slot - 1] = card;
    if (kept(after) > most) [most, found] = [kept(after), slot];
  }
  return found;
}

function decide(question) {
  const { legal, phase, rack, hand, discards } = question;
  if (legal.includes("!")) return "!"; // the rack is RACK-O: end the round
  if (phase === "drawn") {
    const slot = place(rack, hand);
    return slot ? `p${slot}` : "x";
  }
  const slot = place(rack, discards[discards.length - 1]);
  if (slot) return `t${slot}`;
  return legal.includes("d") ? "d" : legal[0];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  let answer;
  if (message.type === "hello") {
    cards = message.cards;
    answer = { type: "ready", version: 1, name: "Chain" };
  } else if (message.type === "decide") {
    answer = { type: "action", id: message.id, action: decide(message) };
  } else return; // a later version may say more
  console.log(JSON.stringify(answer));
});
