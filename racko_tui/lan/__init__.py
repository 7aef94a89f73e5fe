"""Games with others on the network: hosting one, joining one, and planning tables there."""
