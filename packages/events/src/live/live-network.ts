/** The current network settings in memory, for code that needs them for every connection. */
import {
  type AuditEvent,
  type InForce,
  NETWORK_SECTIONS,
  type NetworkSection,
  type NetworkSettings,
  networkKey,
  sectionInForce,
} from '@portcullis/domain';
import type { Logger } from '@portcullis/runtime';
import type { LiveSettings } from './live-settings.ts';
import { reloading } from './reloading.ts';

export interface LiveNetwork {
  /** Settings of the environment until `start` has read the stored ones. */
  current(): NetworkSettings;
  /** When a section was enabled, in the stream's time; null where unknown. */
  since(section: NetworkSection): number | null;
  /**
   * Whether the collector of a section needs no message about the event: it is of the request
   * that enabled the section, or of a test message that the collector took.
   */
  isKnown(section: NetworkSection, event: KnownEvent): boolean;
  /** Calls `listener` after each effective change. */
  onChange(listener: () => void): () => void;
  start(): Promise<void>;
  stop(): void;
}

type KnownEvent = Pick<AuditEvent, 'request_id' | 'event' | 'detail'>;

export interface LiveNetworkOptions {
  settings: Pick<LiveSettings, 'find' | 'onChange'>;
  env: NetworkSettings;
  /** Decrypts a secret. */
  open(sealed: string): string;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function liveNetwork({ settings, env, open, log }: LiveNetworkOptions): LiveNetwork {
  const enabled = new Map<NetworkSection, Pick<InForce<NetworkSection>, 'since' | 'enabledBy'>>();
  let current = env;

  async function section<S extends NetworkSection>(name: S): Promise<NetworkSettings[S]> {
    const inForce = sectionInForce(name, await settings.find(networkKey(name)), { env, open });
    enabled.set(name, inForce);
    return inForce.settings;
  }

  async function load(): Promise<boolean> {
    const [proxy, syslog, email] = [
      await section('proxy'),
      await section('syslog'),
      await section('email'),
    ];
    const loaded = { proxy, syslog, email };
    const changed = NETWORK_SECTIONS.filter(
      (name) => JSON.stringify(loaded[name]) !== JSON.stringify(current[name]),
    );
    current = loaded;
    if (changed.length === 0) return false;
    log.info({ sections: changed }, 'network settings changed');
    return true;
  }

  const what = 'the network settings';
  const { onChange, start, stop } = reloading({ settings, load, what, log });
  return {
    current: () => current,
    since: (name) => enabled.get(name)?.since ?? null,
    isKnown: (name, { request_id: request, event, detail }) =>
      (request !== null && request === enabled.get(name)?.enabledBy) ||
      (event === `network.${name}_test` && detail.delivered === true),
    onChange,
    start,
    stop,
  };
}
