import { Text } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface Noted {
  code: string;
  message: string;
}

/** The message for a worker's error code; the server's own message for an unknown code. */
export function useJobFaultText(): (fault: Noted) => string {
  const own = useMessages('jobFault');
  const { codes } = useMessages('fault');
  return ({ code, message }) => own[code] ?? codes[code] ?? message;
}

/** The message, with the worker's own message below it for troubleshooting. */
export function JobFault({ fault }: { fault: Noted }) {
  const text = useJobFaultText()(fault);
  return (
    <>
      <Text size="sm" c="var(--mantine-color-error)">
        {text}
      </Text>
      {fault.message !== text && <ServerNote>{fault.message}</ServerNote>}
    </>
  );
}

/** Server messages are always English; screen readers need to know. */
export function ServerNote({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
