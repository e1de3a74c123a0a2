-- What lists of images need of a report to judge it (packages/store/src/report-summaries.ts). Null until it is first asked for.
ALTER TABLE "image_reports" ADD COLUMN "summary" JSONB;
