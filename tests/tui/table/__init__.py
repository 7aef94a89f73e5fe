"""Tests of the table screen and its parts."""
