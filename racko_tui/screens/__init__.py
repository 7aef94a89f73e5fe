"""The screens, each in a module of its own that is imported when it is shown."""
