/** Error messages: as a view, as an alert, and as text. */

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { MIRROR_ABSENCES } from '@portcullis/domain/mirror';
import { IconAlertTriangle, IconLock, IconMoodEmpty } from '@tabler/icons-react';
import { ProblemError } from '../../api/problem-error.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { ServerDetails } from './job-fault.tsx';

/** The message for any error. */
export function useFaultText(): (error: unknown) => string {
  const [t, format] = useWords('fault');
  return (error) => {
    if (!(error instanceof ProblemError)) return t.unexpected;
    const text = t.codes[error.code] ?? t.unknown(error.code);
    return error.retryAfter === null
      ? text
      : `${text} ${t.tryAgainIn(format.duration(error.retryAfter))}`;
  };
}

interface FaultViewProps {
  error: unknown;
  retry?: () => void;
  page?: boolean;
}

/** Replaces a view that cannot be shown. */
export function FaultView({ error, retry, page = false }: FaultViewProps) {
  const t = useMessages('fault');
  const text = useFaultText();
  const status = error instanceof ProblemError ? error.status : null;
  const looks = {
    403: { icon: IconLock, title: t.forbidden },
    404: { icon: IconMoodEmpty, title: t.missing },
  } as const;
  const { icon, title } =
    status === 403 || status === 404 ? looks[status] : { icon: IconAlertTriangle, title: t.title };
  return (
    <EmptyState icon={icon} title={title} text={text(error)} page={page}>
      {retry && status !== 403 && status !== 404 && (
        <Button variant="default" onClick={retry}>
          {t.tryAgain}
        </Button>
      )}
      <EnglishDetails error={error} />
      <RequestId error={error} />
    </EmptyState>
  );
}

/** For forms and dialogs. */
export function FaultAlert({ error }: { error: unknown }) {
  const text = useFaultText();
  if (!error) return null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
      <Stack gap={4}>
        <Text size="sm" c="var(--mantine-color-text)">
          {text(error)}
        </Text>
        <EnglishDetails error={error} />
        <RequestId error={error} />
      </Stack>
    </Alert>
  );
}

/**
 * The message of an error that has no words here: a browser's, or a newer server's. What a mirror
 * says of an image that it lacks has a reason, times and a job besides.
 */
function EnglishDetails({ error }: { error: unknown }) {
  const { codes } = useMessages('fault');
  const isKnown = error instanceof ProblemError && codes[error.code] !== undefined;
  if (isKnown && !MIRROR_ABSENCES.some((code) => code === error.code)) return null;
  const message = error instanceof Error ? error.message : String(error);
  return <ServerDetails>{message}</ServerDetails>;
}

function RequestId({ error }: { error: unknown }) {
  const t = useMessages('fault');
  if (!(error instanceof ProblemError) || error.requestId === null || error.status < 500)
    return null;
  return (
    <Group gap={6}>
      <Text size="xs" c="dimmed">
        {t.requestId} <code>{error.requestId}</code>
      </Text>
    </Group>
  );
}
