/** What the account may do with a waiver, and why not more. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { CurrentUser, Waiver } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../api/api.ts';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { useAccount } from '../../session/account.ts';
import { type Ending, EndingForm, rejection, revocation } from './ending-form.tsx';
import { isReviewer, mayDo } from './reviewer.ts';
import { useWaivedName } from './use-waived-name.ts';

export function WaiverReview({ waiver }: { waiver: Waiver }) {
  const t = useMessages('waivers');
  const account = useAccount();
  const nameOf = useWaivedName();
  const [ending, setEnding] = useState<Ending | null>(null);
  const approve = useDecision(waiver, {
    send: () => call('waivers.approve', { params: { id: waiver.id } }),
    done: t.approved(nameOf(waiver.vulnerability)),
  });
  const { state } = waiver;
  if (state !== 'requested' && state !== 'approved') return null;
  const refusal = state === 'requested' ? refusalOf(waiver, account, t) : null;
  if (ending !== null)
    return <EndingReview waiver={waiver} ending={ending} onClose={() => setEnding(null)} />;
  return (
    <Stack gap="sm">
      {refusal !== null && (
        <Alert color="gray" variant="light">
          {refusal}
        </Alert>
      )}
      <FaultAlert error={approve.error} />
      <Group gap="xs">
        {mayDo('approve', waiver, account) && (
          <Button loading={approve.isPending} onClick={() => approve.mutate()}>
            {t.approve}
          </Button>
        )}
        {mayDo('reject', waiver, account) && (
          <Button variant="default" onClick={() => setEnding('reject')}>
            {t.reject}
          </Button>
        )}
        {mayDo('revoke', waiver, account) && (
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

interface EndingProps {
  waiver: Waiver;
  ending: Ending;
  onClose(): void;
}

function EndingReview({ waiver, ending, onClose }: EndingProps) {
  const t = useMessages('waivers');
  const { id, state, vulnerability } = waiver;
  const end = useDecision(waiver, {
    send: (reason: string) =>
      ending === 'reject'
        ? call('waivers.reject', rejection(id, reason))
        : call('waivers.revoke', revocation(id, reason)),
    done: ending === 'reject' ? t.rejected(vulnerability) : t.revoked(vulnerability),
  });
  const verb = state === 'requested' ? t.withdraw : t.revoke;
  return (
    <EndingForm
      ending={ending}
      verb={ending === 'reject' ? t.reject : verb}
      isPending={end.isPending}
      error={end.error}
      onEnd={(reason) => end.mutate(reason)}
      onClose={onClose}
    />
  );
}

interface Decision<V> {
  send(given: V): Promise<Waiver>;
  /** Said afterwards. */
  done: string;
}

function useDecision<V = void>({ id }: Waiver, { send, done }: Decision<V>) {
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
