/** Serves the settings of proxy, syslog and e-mail, and their tests. */
import { contract, type Delivery } from '@portcullis/contract';
import type { NetworkSection } from '@portcullis/domain';
import type { DeliveryResult, MailDeliveryResult } from '@portcullis/notify';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import type { NetworkService } from './service.ts';

export function networkRoutes(service: NetworkService): Route[] {
  async function reset(section: NetworkSection, call: ApiCall): Promise<undefined> {
    call.about(settingsOf(section));
    await service.reset(section);
  }

  return implement(contract.network, {
    config: () => service.config(),

    async setProxy({ body }, call) {
      changes('proxy', body, call);
      return service.set('proxy', body);
    },

    resetProxy: (_, call) => reset('proxy', call),

    async setSyslog({ body }, call) {
      changes('syslog', body, call);
      return service.set('syslog', body);
    },

    resetSyslog: (_, call) => reset('syslog', call),

    async setEmail({ body }, call) {
      changes('email', body, call);
      return service.set('email', body);
    },

    resetEmail: (_, call) => reset('email', call),

    sendEmail: async (_, call) => replyOf(call, await service.sendEmail()),

    testEmail: async (_, call) => replyOf(call, await service.testEmail()),

    testSyslog: async (_, call) => replyOf(call, await service.testSyslog(call.principal.username)),
  });
}

/** Records field names only: values may be secrets. */
function changes(section: NetworkSection, body: object, call: ApiCall): void {
  call.about(settingsOf(section));
  call.note({ fields: Object.keys(body) });
}

function settingsOf(section: NetworkSection) {
  return { kind: 'settings', id: null, name: `network.${section}` };
}

/** The reply is the same for a failed delivery; only the status differs. */
function replyOf(call: ApiCall, delivery: DeliveryResult | MailDeliveryResult): Delivery {
  call.note({
    delivered: delivery.delivered,
    ...(delivery.error !== undefined && { error: delivery.error }),
  });
  if (delivery.delivered === false) call.status(502);
  return 'recipients' in delivery ? presentMail(delivery) : delivery;
}

/** Without what only the retries of the notifier need. */
function presentMail({ aboutMessage: _, recipients, ...delivery }: MailDeliveryResult): Delivery {
  const shown = recipients.map(({ address, accepted }) => ({ address, accepted }));
  return { ...delivery, recipients: shown };
}
