"""The product's own figures: what a turn costs in process and through the whole stack, and what it leaves behind."""
