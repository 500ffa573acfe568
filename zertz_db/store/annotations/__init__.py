"""What people say, as text files beside the generations."""
