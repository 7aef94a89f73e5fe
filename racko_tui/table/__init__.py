"""What the table screen thinks and says, without a widget: decisions, words, motion."""
