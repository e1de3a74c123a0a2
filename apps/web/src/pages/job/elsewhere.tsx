/** The folders in which a job would stand otherwise, by their answer. */
import { Text } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useWords } from '../../i18n/messages.ts';
import { useAnswerWord } from '../../kit/verdict/answer-badge.tsx';

export function Elsewhere({ job: { elsewhere = [] } }: { job: Pick<Job, 'elsewhere'> }) {
  const [{ answer: t }, format] = useWords('verdict');
  const word = useAnswerWord();
  if (elsewhere.length === 0) return null;
  const groups = [...Map.groupBy(elsewhere, word)].map(([answer, folders]) => {
    const names = folders.map(({ folder }) => (folder === ROOT_FOLDER ? t.noFolder : folder));
    return t.in(answer, format.list(names));
  });
  return (
    <Text size="sm">
      <b>{t.elsewhere}</b> {groups.join(' · ')}
    </Text>
  );
}
