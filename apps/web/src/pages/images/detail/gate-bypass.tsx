/** Who pushed an image that the policy blocked, when and why. */
import { Text } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';

export function GateBypass({ image: { bypass } }: { image: Pick<ImageDetail, 'bypass'> }) {
  const [t, format] = useWords('images');
  if (bypass === null) return null;
  return (
    <Text size="sm">
      {t.bypassedBy(bypass.by)}, <RelativeTime at={bypass.at} />
      {bypass.reason !== null && (
        <>
          {format.colon}
          <q>{bypass.reason}</q>
        </>
      )}
    </Text>
  );
}
