-- What waits for a decision is marked as read once it was decided, whoever was told.
CREATE INDEX "notifications_target_target_id_idx" ON "notifications"("target", "target_id");
