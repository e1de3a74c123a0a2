import { Text } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface Noted {
  code: string;
  message: string;
}

/** One sentence for what a worker noted; the server's own where there are no words for it. */
export function useJobFaultText(): (fault: Noted) => string {
  const own = useMessages('jobFault');
  const { codes } = useMessages('fault');
  return ({ code, message }) => own[code] ?? codes[code] ?? message;
}

/** The sentence, and beneath it what the worker noted, for whoever has to look closer. */
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

/** The server's notes have one language, and say so to screen readers. */
export function ServerNote({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
