"""The kernel: state, events, action rules, economies, scoring, and `Rules`. It knows the nouns of the model and no variant."""
