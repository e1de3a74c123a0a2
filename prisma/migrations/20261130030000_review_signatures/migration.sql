-- The signatures that an image lacked when its review was requested, where the request asks for it.
ALTER TABLE reviews ADD COLUMN signatures jsonb;
