import { Text } from '@mantine/core';
import type { VulnResultView } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import classes from '../job.module.css';
import { gapSentences } from './gap-sentence.ts';

/** Lists what the scan did not cover. */
export function ScanNotes({ result }: { result: VulnResultView }) {
  const t = useMessages('coverage');
  const format = useFormat();
  if (result.notes.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.title}
      </Text>
      <ul className={classes.notes}>
        {gapSentences(result, t, format).map(({ words, note }) => (
          <li key={note} {...(words === null && { lang: 'en' })}>
            {words ?? note}
          </li>
        ))}
      </ul>
    </div>
  );
}
