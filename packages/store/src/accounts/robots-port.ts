/** Robots and trust rules, as the store keeps them. */
import type { TokenScope, TrustConditions } from '@portcullis/domain';
import type { Page, PageOptions } from '../page-port.ts';

/** A machine account. */
export interface Robot {
  id: string;
  /** Its username. */
  name: string;
  description: string;
  /** Whose members manage its tokens; null: administrators alone. */
  owner: { id: string; name: string } | null;
  /** The groups whose rights it has, by name. */
  groups: { id: string; name: string }[];
  disabled: boolean;
  canBypassVulnBlock: boolean;
  createdBy: string;
  createdAt: Date;
  /** Number of tokens that accounts created and that have not expired. */
  tokens: number;
  lastUsedAt: Date | null;
}

export interface NewRobot {
  name: string;
  description: string;
  ownerGroupId: string | null;
  groupIds: readonly string[];
  canBypassVulnBlock: boolean;
  createdBy: string;
}

export type RobotUpdate = Partial<
  Pick<Robot, 'description' | 'disabled' | 'canBypassVulnBlock'> & {
    ownerGroupId: string | null;
    groupIds: readonly string[];
  }
>;

export interface Robots {
  find(id: string): Promise<Robot | null>;
  /** By name; with `ownedBy` only those of these groups. */
  list(options?: PageOptions & { ownedBy?: readonly string[] | undefined }): Promise<Page<Robot>>;
  /** The name of the owning group; null where administrators own it. */
  ownerOf(id: string): Promise<string | null>;
  /** @throws conflict `USERNAME_TAKEN`, `ROBOTS_MANY`, not_found `GROUP_UNKNOWN` */
  insert(robot: NewRobot): Promise<Robot>;
  /** @throws not_found `ROBOT_UNKNOWN`, `GROUP_UNKNOWN` */
  update(id: string, change: RobotUpdate): Promise<Robot>;
}

/** Which identity tokens of an issuer get a token of which robot. */
export interface IdentityTrust {
  id: string;
  name: string;
  issuer: string;
  audience: string;
  conditions: TrustConditions;
  robot: { id: string; name: string };
  scope: TokenScope;
  minutes: number;
  /** PEM; trusted for the issuer in addition to the well-known authorities. */
  caCert: string | null;
  enabled: boolean;
  createdBy: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export type NewIdentityTrust = Pick<
  IdentityTrust,
  | 'name'
  | 'issuer'
  | 'audience'
  | 'conditions'
  | 'scope'
  | 'minutes'
  | 'caCert'
  | 'enabled'
  | 'createdBy'
> & { robotId: string };

export type IdentityTrustUpdate = Partial<Omit<NewIdentityTrust, 'createdBy'>>;

export interface IdentityTrusts {
  find(id: string): Promise<IdentityTrust | null>;
  /** By name. */
  list(): Promise<IdentityTrust[]>;
  /** Those that are enabled, of robots that are not disabled. */
  ofIssuer(issuer: string): Promise<IdentityTrust[]>;
  /** @throws conflict `TRUST_NAME_TAKEN`, `TRUSTS_MANY`, not_found `ROBOT_UNKNOWN` */
  insert(trust: NewIdentityTrust): Promise<IdentityTrust>;
  /**
   * Removes the tokens that the rule issued, unless the name alone changes.
   * @throws not_found `TRUST_UNKNOWN`, `ROBOT_UNKNOWN`, conflict `TRUST_NAME_TAKEN`
   */
  update(id: string, change: IdentityTrustUpdate): Promise<IdentityTrust>;
  /** Removes the tokens that the rule issued, too. @throws not_found `TRUST_UNKNOWN` */
  remove(id: string): Promise<void>;
  used(id: string, at: Date): Promise<void>;
}
