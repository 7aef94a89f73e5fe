"""How people reach a table: sessions, protocol, server, client, store and discovery."""
