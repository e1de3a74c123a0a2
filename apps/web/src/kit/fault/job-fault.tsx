/** Says why a stage of a job failed. */
import { Text } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface Noted {
  code: string;
  message: string;
}

/** The message for a worker's error code; undefined for an unknown code. */
export function useKnownFaultText(): (code: string | undefined) => string | undefined {
  const own = useMessages('jobFault');
  const { codes } = useMessages('fault');
  return (code = '') => own[code] ?? codes[code];
}

/** The message for a worker's error code; the code itself where a newer worker has more of them. */
export function useJobFaultText(): (fault: Pick<Noted, 'code'> & Partial<Noted>) => string {
  const known = useKnownFaultText();
  const t = useMessages('fault');
  return ({ code }) => known(code) ?? t.unknown(code);
}

/** The message; the server's own is below it, for troubleshooting. */
export function JobFault({ fault }: { fault: Noted }) {
  const text = useJobFaultText()(fault);
  return (
    <>
      <Text size="sm" c="var(--mantine-color-error)">
        {text}
      </Text>
      {fault.message !== text && <ServerDetails>{fault.message}</ServerDetails>}
    </>
  );
}

/** The server's own message, which is always English, on demand. */
export function ServerDetails({ children }: { children: string }) {
  const t = useMessages('fault');
  return (
    <Text size="xs" c="dimmed" component="details">
      <summary>{t.details}</summary>
      <ServerNote>{children}</ServerNote>
    </Text>
  );
}

/** Screen readers need to know the language. */
function ServerNote({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
