/** Changes the settings of proxy, syslog and e-mail, and tests their servers. */
import {
  emailNotifies,
  forwardsAudit,
  forwardsLogs,
  type InForce,
  mapSecrets,
  type NetworkSection,
  type NetworkSettings,
  networkKey,
  sectionInForce,
} from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { AuditEvent, LiveSettings } from '@portcullis/events';
import {
  type DeliveryResult,
  type DeliveryTimeouts,
  exportMail,
  type Mail,
  type MailDeliveryResult,
  type Resolve,
  type SyslogEntry,
  testMail,
} from '@portcullis/notify';
import { requestIdNow, type Sealer } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import { assertWhole } from './faults.ts';
import { masked, mergeSecrets } from './secrets.ts';

export interface NetworkPorts {
  settings: Pick<Store['settings'], 'find' | 'set' | 'remove'>;
  live: Pick<LiveSettings, 'changed'>;
  env: NetworkSettings;
  sealer: Sealer;
  /** Milliseconds by the clock of the audit stream. */
  streamTime(): Promise<number>;
  /** Newest first. */
  recent(limit: number): Promise<AuditEvent[]>;
  sendMail(
    mail: Mail,
    settings: NetworkSettings['email'],
    options: { resolve: Resolve; timeouts: DeliveryTimeouts },
  ): Promise<MailDeliveryResult>;
  sendSyslog(
    entries: SyslogEntry[],
    settings: NetworkSettings['syslog'],
    options: { hostname: string; resolve: Resolve; timeouts: DeliveryTimeouts },
  ): Promise<DeliveryResult>;
  /** Refuses addresses of our own services. */
  resolve: Resolve;
  hostname: string;
  now(): Date;
  newId(): string;
}

export type Shown<S extends NetworkSection> = NetworkSettings[S] & Pick<InForce<S>, 'source'>;

/** Per export. */
const MOST_EVENTS = 1_000;
/** The client waits for the reply. */
const TEST_TIMEOUTS: DeliveryTimeouts = { connectMs: 5_000, answerMs: 10_000 };

export function createNetworkService(ports: NetworkPorts) {
  const { settings, live, env, sealer, hostname, resolve } = ports;

  /** Reads from the store, so that a caller sees its own change. */
  async function inForce<S extends NetworkSection>(section: S): Promise<InForce<S>> {
    return sectionInForce(section, await settings.find(networkKey(section)), {
      env,
      open: sealer.open,
    });
  }

  async function show<S extends NetworkSection>(section: S): Promise<Shown<S>> {
    const { settings: known, source } = await inForce(section);
    return { ...masked(section, known), source };
  }

  async function set<S extends NetworkSection>(
    section: S,
    change: Partial<NetworkSettings[S]>,
  ): Promise<Shown<S>> {
    const before = await inForce(section);
    const after = mergeSecrets(section, before.settings, change);
    assertWhole(section, after);
    const { since, enabledBy } = await enabling(section, before, after);
    const sealed = mapSecrets(section, after, sealer.seal);
    await settings.set(networkKey(section), {
      ...sealed,
      ...(since !== null && { since }),
      ...(enabledBy !== null && { enabledBy }),
    });
    await live.changed();
    return { ...masked(section, after), source: 'override' };
  }

  /** A newly enabled collector receives neither earlier events nor the one that enabled it. */
  async function enabling<S extends NetworkSection>(
    section: S,
    before: InForce<S>,
    after: NetworkSettings[S],
  ): Promise<Pick<InForce<S>, 'since' | 'enabledBy'>> {
    const startsNow = !COLLECTS[section](before.settings) && COLLECTS[section](after);
    return startsNow ? { since: await ports.streamTime(), enabledBy: requestIdNow() } : before;
  }

  async function reset(section: NetworkSection): Promise<void> {
    await settings.remove(networkKey(section));
    await live.changed();
  }

  /** @throws conflict `EMAIL_DISABLED` */
  async function email(): Promise<NetworkSettings['email']> {
    const { settings: email } = await inForce('email');
    if (email.enabled) return email;
    throw conflict('EMAIL_DISABLED', 'E-mail is switched off.');
  }

  return {
    set,
    reset,

    async config() {
      const [proxy, syslog, email] = [
        await show('proxy'),
        await show('syslog'),
        await show('email'),
      ];
      return { proxy, syslog, email };
    },

    async sendEmail(): Promise<MailDeliveryResult> {
      const known = await email();
      const events = await ports.recent(MOST_EVENTS);
      return ports.sendMail(exportMail(events.toReversed()), known, {
        resolve,
        timeouts: TEST_TIMEOUTS,
      });
    },

    async testEmail(): Promise<MailDeliveryResult> {
      const known = await email();
      return ports.sendMail(testMail(ports.now(), ports.newId()), known, {
        resolve,
        timeouts: TEST_TIMEOUTS,
      });
    },

    /** @throws conflict `SYSLOG_DISABLED` */
    async testSyslog(by: string): Promise<DeliveryResult> {
      const { settings: syslog } = await inForce('syslog');
      if (!syslog.syslog_enabled) throw conflict('SYSLOG_DISABLED', 'Syslog is switched off.');
      const entry = testEntry({ at: ports.now(), id: ports.newId(), by });
      return ports.sendSyslog([entry], syslog, { hostname, resolve, timeouts: TEST_TIMEOUTS });
    },
  };
}
export type NetworkService = ReturnType<typeof createNetworkService>;

/** Whether a section's collector reads the audit stream. */
const COLLECTS: { [S in NetworkSection]: (settings: NetworkSettings[S]) => boolean } = {
  proxy: () => false,
  syslog: (syslog) => forwardsAudit(syslog) || forwardsLogs(syslog),
  email: emailNotifies,
};

function testEntry({ at, id, by }: { at: Date; id: string; by: string }): SyslogEntry {
  const facts = { id, event: 'syslog_test', actor: by };
  return {
    at,
    facility: 'audit',
    severity: 'info',
    kind: 'syslog_test',
    processId: String(process.pid),
    data: facts,
    document: { ...facts, at: at.toISOString() },
  };
}
