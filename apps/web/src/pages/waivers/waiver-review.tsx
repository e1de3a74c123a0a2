/** What the account may do with a waiver, and why not more. */
import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import type { CurrentUser, Waiver } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../api/api.ts';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { useAccount } from '../../session/account.ts';
import { isReviewer } from './reviewer.ts';

type Ending = 'reject' | 'revoke';

export function WaiverReview({ waiver }: { waiver: Waiver }) {
  const t = useMessages('waivers');
  const account = useAccount();
  const [ending, setEnding] = useState<Ending | null>(null);
  const approve = useDecision(waiver, {
    send: () => call('waivers.approve', { params: { id: waiver.id } }),
    done: t.approved(waiver.vulnerability),
  });
  const { state } = waiver;
  if (state !== 'requested' && state !== 'approved') return null;
  const isOwn = waiver.requested_by.id === account.id;
  const reviews = isReviewer(account);
  const refusal = state === 'requested' ? refusalOf(waiver, account, t) : null;
  if (ending !== null)
    return <EndingForm waiver={waiver} ending={ending} onClose={() => setEnding(null)} />;
  return (
    <Stack gap="sm">
      {refusal !== null && (
        <Alert color="gray" variant="light">
          {refusal}
        </Alert>
      )}
      <FaultAlert error={approve.error} />
      <Group gap="xs">
        {state === 'requested' && refusal === null && (
          <Button loading={approve.isPending} onClick={() => approve.mutate()}>
            {t.approve}
          </Button>
        )}
        {state === 'requested' && reviews && !isOwn && (
          <Button variant="default" onClick={() => setEnding('reject')}>
            {t.reject}
          </Button>
        )}
        {(isOwn || (reviews && state === 'approved')) && (
          <Button variant="default" onClick={() => setEnding('revoke')}>
            {state === 'requested' ? t.withdraw : t.revoke}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Why the account can't approve it; null where it can. A hint only: the server decides. */
function refusalOf(
  { requested_by, approvals }: Waiver,
  account: CurrentUser,
  t: Messages['waivers'],
): string | null {
  if (requested_by.id === account.id) return t.ownRequest;
  if (!isReviewer(account)) return t.notReviewer;
  return approvals.some(({ id }) => id === account.id) ? t.alreadyApproved : null;
}

interface EndingFormProps {
  waiver: Waiver;
  ending: Ending;
  onClose(): void;
}

function EndingForm({ waiver, ending, onClose }: EndingFormProps) {
  const t = useMessages('waivers');
  const [text, setText] = useState('');
  const reason = text.trim();
  const params = { id: waiver.id };
  const end = useDecision(waiver, {
    send: () =>
      ending === 'reject'
        ? call('waivers.reject', { params, body: { reason } })
        : call('waivers.revoke', { params, body: { reason: reason === '' ? null : reason } }),
    done: ending === 'reject' ? t.rejected(waiver.vulnerability) : t.revoked(waiver.vulnerability),
  });
  const verb = waiver.state === 'requested' ? t.withdraw : t.revoke;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        end.mutate();
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
        <FaultAlert error={end.error} />
        <Group gap="xs">
          <Button
            type="submit"
            color="red"
            loading={end.isPending}
            disabled={ending === 'reject' && reason === ''}
          >
            {ending === 'reject' ? t.reject : verb}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDecision({ id }: Waiver, { send, done }: { send(): Promise<Waiver>; done: string }) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: send,
    onSuccess: (changed) => {
      queries.setQueryData(keyOf('waivers.get', { params: { id } }), changed);
      notices.done(done);
    },
    // Also after a refusal: another account may have decided meanwhile.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keyOf('waivers.get') }),
        queries.invalidateQueries({ queryKey: keyOf('waivers.list') }),
      ]),
  });
}
