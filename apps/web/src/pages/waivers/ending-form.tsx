/** Asks why waivers are rejected or revoked: a rejection needs a reason. */
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { RequestFor } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { useChanged } from '../../kit/form/asked-close.tsx';
import type { WaiverAct } from './reviewer.ts';

export type Ending = Exclude<WaiverAct, 'approve'>;

interface EndingFormProps {
  ending: Ending;
  /** Of the button that ends them. */
  verb: string;
  isPending?: boolean;
  error?: unknown;
  onEnd(reason: string): void;
  onClose(): void;
}

export function EndingForm({ ending, verb, onEnd, onClose, ...request }: EndingFormProps) {
  const t = useMessages('waivers');
  const [text, setText] = useState('');
  useChanged({ text });
  const reason = text.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onEnd(reason);
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={ending === 'reject' ? t.rejectReason : t.revokeReason}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required={ending === 'reject'}
          maxLength={2000}
          autosize
          minRows={2}
          data-autofocus
        />
        <FaultAlert error={request.error} />
        <Group gap="xs">
          <Button
            type="submit"
            color="red"
            loading={request.isPending ?? false}
            disabled={ending === 'reject' && reason === ''}
          >
            {verb}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function rejection(id: string, reason: string): RequestFor<'waivers.reject'> {
  return { params: { id }, body: { reason } };
}

export function revocation(id: string, reason: string): RequestFor<'waivers.revoke'> {
  return { params: { id }, body: { reason: reason === '' ? null : reason } };
}
