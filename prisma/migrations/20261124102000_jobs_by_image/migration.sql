-- Lists of jobs in the order of their images.
CREATE INDEX "staging_jobs_image_created_at_id_idx" ON "staging_jobs"("image", "created_at" DESC, "id" DESC);
