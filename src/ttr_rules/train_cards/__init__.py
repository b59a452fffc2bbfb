"""train_cards."""
