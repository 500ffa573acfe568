"""What pages know and keep: the database, answers, uploads, jobs, what people do."""
