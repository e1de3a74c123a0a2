/** Names the accounts that can help: with permissions, or with the review of a waiver. */
import { Skeleton, Text } from '@mantine/core';
import type { Contacts } from '@portcullis/contract';
import { useAnswer } from '../api/api.ts';
import { useMessages, useWords } from '../i18n/messages.ts';
import classes from './contacts.module.css';

/** Nothing where the account itself is the only one. */
export function Administrators() {
  const t = useMessages('contacts');
  return <Names who={t.administrators} of="administrators" />;
}

interface ReviewersProps {
  /** Absent: of any folder. */
  folder: string | undefined;
}

export function Reviewers({ folder }: ReviewersProps) {
  const t = useMessages('contacts');
  return <Names who={t.reviewers} of="reviewers" folder={folder} otherwise={t.noReviewers} />;
}

interface NamesProps extends Partial<ReviewersProps> {
  who(names: string): string;
  of: keyof Contacts;
  /** Shown where there is no other account. */
  otherwise?: string;
}

function Names({ who, of, folder, otherwise }: NamesProps) {
  const [t, format] = useWords('contacts');
  const { data, isError } = useAnswer('auth.listContacts', { query: { folder } });
  if (!data) return !isError && otherwise ? <Skeleton className={classes.names} /> : null;
  const { names, total } = data[of];
  const all = total > names.length ? t.andMore(names.join(', '), total - names.length) : null;
  const text = total > 0 ? who(all ?? format.list(names)) : otherwise;
  return (
    text && (
      <Text component="span" display="block" size="sm" c="dimmed">
        {text}
      </Text>
    )
  );
}
