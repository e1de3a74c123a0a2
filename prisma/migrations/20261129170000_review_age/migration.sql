-- The age that an image lacked when its review was requested, where the request asks for it.
ALTER TABLE reviews ADD COLUMN sighted_at timestamptz(3), ADD COLUMN waits_until timestamptz(3);
