-- The digest of a mirror's tag that was brought in last because the upstream's newest was too young.
-- runs-since: 20261128000000_init

ALTER TABLE "mirror_tags" ADD COLUMN "ripe_digest" TEXT;
