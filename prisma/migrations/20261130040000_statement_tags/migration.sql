-- What is under cosign's tag of attestations, so that a change by others is noticed.
-- runs-since: 20261128000000_init

ALTER TABLE "image_statements" ADD COLUMN "tagged" TEXT;
