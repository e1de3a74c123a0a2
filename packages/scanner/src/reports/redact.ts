/**
 * Stores a report without the image's configuration: `Env`, labels and build history may contain
 * secrets.
 */
import { z } from 'zod';
import { type ReportHead, rewriteReport } from './report-file.ts';

const Text = z.string().min(1);
const PlatformFields = z.object({
  os: Text,
  architecture: Text,
  variant: Text.optional().catch(undefined),
});

/**
 * The schema of the head drops everything else of the configuration. Returns the platform that the
 * image names.
 */
export async function redactReport(from: string, to: string): Promise<{ platform: string | null }> {
  let platform: string | null = null;
  await rewriteReport(from, to, {
    head(head) {
      platform = platformOf(head);
      return head;
    },
  });
  return { platform };
}

function platformOf({ Metadata }: ReportHead): string | null {
  const { success, data } = PlatformFields.safeParse(Metadata?.ImageConfig);
  return success ? [data.os, data.architecture, data.variant].filter(Boolean).join('/') : null;
}
