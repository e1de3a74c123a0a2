/** The gate: standings of images of the local registry, and the decisions of its doors. */
import {
  bypasses,
  type GateDoor,
  type JudgedSubject,
  nextRecord,
  type Policy,
  type Principal,
  type PullGateMode,
} from '@portcullis/domain';
import type { ChangeWatch, OnChange } from '@portcullis/events';
import type { Store } from '@portcullis/store';
import { createDigestChanges } from './digest-changes.ts';
import { NEVER_SCANNED } from './failed-scan.ts';
import { imageSubject } from './image-subject.ts';
import {
  type DecidedPull,
  decideManifest,
  type ManifestDecisionPorts,
} from './manifest-decision.ts';
import type { ShapeOf } from './manifest-shape.ts';
import { remembered } from './remembered.ts';
import {
  type GateRules,
  loadFeeds,
  loadRules,
  type PolicyScope,
  type RulesPorts,
} from './rules.ts';
import {
  createStandingCache,
  type ImageInFolder,
  type JudgedImageInFolder,
} from './standing-cache.ts';

export interface GatePorts extends Omit<RulesPorts, 'store'> {
  store: RulesPorts['store'] & {
    reports: Pick<Store['reports'], 'facts'>;
    passRecords: Pick<Store['passRecords'], 'find' | 'save'>;
  };
  shapeOf: ShapeOf;
  watch(onChange: OnChange): ChangeWatch;
}

interface Pull {
  /** By default `pull`. */
  door?: GateDoor;
  image: ImageInFolder;
  account: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;
  /** Instead of the folder's mode. */
  mode?: PullGateMode;
  /** The repository that has the content, where the image is not in its own yet. */
  contentIn?: string | undefined;
  /** Ends the decision, as the client does by leaving. */
  signal?: AbortSignal | undefined;
}

export interface Gate {
  rules(): Promise<GateRules>;
  policyOf(scope: PolicyScope): Promise<Policy>;
  /** The standing of one manifest in a folder, as the doors use it. */
  standing(image: ImageInFolder): Promise<JudgedImageInFolder>;
  /** Decides a pull, and keeps what passed or was blocked in the folder. */
  decide(pull: Pull): Promise<DecidedPull>;
  /** The same decision for an explanation: nothing is kept, so that no grace period begins. */
  preview(pull: Pull): Promise<DecidedPull>;
  /**
   * Decides again at each change, until the decision is other than to wait, or the time is over.
   */
  decideWithin(pull: Pull, options: { ms: number; signal: AbortSignal }): Promise<DecidedPull>;
  /** Before a change of this process is announced: its next decision already follows it. */
  forget(): void;
  close(): void;
}

export function createGate(ports: GatePorts): Gate {
  const { store, now } = ports;
  const changes = createDigestChanges();
  const feeds = new Map<string, ReturnType<typeof loadFeeds>>();
  const live = () => watch.live();
  const rules = remembered(() => loadRules(ports, feedsFor), live);
  const cache = createStandingCache(load, { live, now });
  const artifacts = createStandingCache(loadArtifact, { live, now });

  const heard: OnChange = (kind, digests) => {
    // A refreshed feed is announced as a change of settings.
    if (kind === 'gate' || kind === 'settings') feeds.clear();
    if (kind !== 'report') rules.forget();
    cache.forget(kind === 'report' ? digests : null);
    artifacts.forget(kind === 'report' ? digests : null);
    changes.changed(kind === 'report' ? digests : null);
  };
  const watch = ports.watch(heard);

  /** The tables are large, and most changes leave them as they are. */
  function feedsFor(policies: readonly Policy[]): ReturnType<typeof loadFeeds> {
    const needed = JSON.stringify(policies.map(({ rules: each }) => each));
    const known = live() ? feeds.get(needed) : undefined;
    if (known) return known;
    const loading = loadFeeds(store.feeds, policies);
    feeds.clear();
    feeds.set(needed, loading);
    loading.catch(() => feeds.delete(needed));
    return loading;
  }

  async function load(image: ImageInFolder): Promise<JudgedImageInFolder> {
    const { digest, folder } = image;
    const [current, facts, record] = await Promise.all([
      rules(),
      store.reports.facts([digest]),
      store.passRecords.find(folder, digest),
    ]);
    const policy = current.policyOf({ folder });
    const state = facts.get(digest) ?? NEVER_SCANNED;
    const subject = imageSubject(image, state, { policy, ...current, now: now() });
    return { image, policy, subject, record, report: state.report, judgedAt: now() };
  }

  async function loadArtifact(image: ImageInFolder): Promise<JudgedImageInFolder> {
    const { digest } = image;
    const known = (await store.reports.facts([digest])).get(digest)?.report;
    // A scanner that found an image in it is right, whatever its shape says.
    if (known && known.facts.artifactType === null) return load(image);
    const current = await rules();
    const policy = current.policyOf(image);
    const subject: JudgedSubject = { kind: 'artifact' };
    return { image, policy, subject, record: null, report: null, judgedAt: now() };
  }

  const find = (image: ImageInFolder, isArtifact: boolean) =>
    (isArtifact ? artifacts : cache).find(image);

  async function judge(image: ImageInFolder, isArtifact: boolean): Promise<JudgedImageInFolder> {
    const known = await find(image, isArtifact);
    const judged = withRecord(known, now());
    if (judged !== known) await save(known, judged);
    return judged;
  }

  async function save(known: JudgedImageInFolder, judged: JudgedImageInFolder): Promise<void> {
    const { folder, digest } = judged.image;
    cache.update(known, judged);
    if (judged.record) await store.passRecords.save({ folder, digest, ...judged.record });
  }

  async function judgeOnly(
    image: ImageInFolder,
    isArtifact: boolean,
  ): Promise<JudgedImageInFolder> {
    return withRecord(await find(image, isArtifact), now());
  }

  async function decideWith(
    judging: ManifestDecisionPorts['judge'],
    pull: Pull,
  ): Promise<DecidedPull> {
    const { door = 'pull', image, account, contentIn, signal } = pull;
    const mode = pull.mode ?? (await rules()).gateOf(image.folder).pullGate;
    const request = { door, image, mode, bypasses: bypasses(account), contentIn, signal };
    return decideManifest({ shapeOf: ports.shapeOf, judge: judging, now }, request);
  }

  const decide = (pull: Pull) => decideWith(judge, pull);

  async function decideWithin(
    pull: Pull,
    { ms, signal }: { ms: number; signal: AbortSignal },
  ): Promise<DecidedPull> {
    const end = performance.now() + ms;
    for (;;) {
      const note = changes.note();
      try {
        const decided = await decide({ ...pull, signal });
        const left = end - performance.now();
        if (decided.decision.serve !== null || left <= 0 || signal.aborted) return decided;
        const pending = pendingIn(decided);
        // A change during the decision may not have reached it.
        if (!note.has(pending)) await changes.wait(pending, { ms: left, signal });
        if (signal.aborted) return decided;
      } finally {
        note.end();
      }
    }
  }

  return {
    rules,
    policyOf: async (scope) => (await rules()).policyOf(scope),
    standing: (image) => cache.find(image),
    decide,
    preview: (pull) => decideWith(judgeOnly, pull),
    decideWithin,
    forget: () => heard('gate', null),
    close: () => watch.close(),
  };
}

/** The record of an artifact would say nothing: no report of it changes. */
function withRecord(judged: JudgedImageInFolder, now: Date): JudgedImageInFolder {
  if (judged.subject.kind === 'artifact') return judged;
  const record = nextRecord(judged.record, { ...judged, now });
  return record === judged.record ? judged : { ...judged, record };
}

/** The manifests whose scan a decision waits for. */
export function pendingIn({ judged, children }: DecidedPull): string[] {
  if (children.length === 0) return [judged.image.digest];
  return children.filter(({ decision }) => decision.serve === null).flatMap(pendingIn);
}
