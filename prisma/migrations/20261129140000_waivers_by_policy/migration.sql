-- Waivers of an age that a policy gave for what an image fixes.
-- runs-since: 20261128000000_init

ALTER TABLE "waivers" ADD COLUMN "by_policy" BOOLEAN NOT NULL DEFAULT false;
