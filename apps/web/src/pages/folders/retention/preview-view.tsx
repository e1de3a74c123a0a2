/** How many tags a rule would remove, and the first of them. */
import { Group, Skeleton, Text } from '@mantine/core';
import type { RetentionPreview } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { LongName } from '../../../kit/text/long-name.tsx';
import classes from './retention.module.css';

const SHOWN = 20;
const HEIGHT = 80;

interface PreviewViewProps {
  preview: RetentionPreview | undefined;
  /** Whether it is of the rule before the last change. */
  isStale: boolean;
}

export function PreviewView({ preview, isStale }: PreviewViewProps) {
  const [t, format] = useWords('retention');
  if (!preview) return <Skeleton height={HEIGHT} aria-busy="true" />;
  const { removed, tags_removed: count, tags_kept: kept, repositories, complete } = preview;
  const shown = removed.slice(0, SHOWN);
  return (
    <section
      aria-label={t.preview}
      aria-live="polite"
      aria-busy={isStale}
      className={classes.preview}
    >
      <Text fw={600}>
        {count === 0 ? t.removesNothing(kept) : t.wouldRemove(count, kept, repositories)}
      </Text>
      {!complete && <Dimmed>{t.incomplete}</Dimmed>}
      {shown.length > 0 && (
        <ul className={classes.removed}>
          {shown.map(({ repository, tag, updated_at: at }) => (
            <Group
              component="li"
              justify="space-between"
              gap={12}
              py={2}
              wrap="nowrap"
              key={`${repository}:${tag}`}
            >
              <LongName>{`${repository}:${tag}`}</LongName>
              <Dimmed span flex="none">
                {format.date(at)}
              </Dimmed>
            </Group>
          ))}
        </ul>
      )}
      {count > shown.length && <Dimmed>{t.more(count - shown.length)}</Dimmed>}
    </section>
  );
}
