-- The newest tags of a selection that were left out because of their age, with the end of the wait.
ALTER TABLE transfer_selections ADD COLUMN skipped jsonb NOT NULL DEFAULT '[]';
