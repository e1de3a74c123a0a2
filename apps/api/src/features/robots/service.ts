/**
 * Robots and their tokens: administrators create robots, members of the owning group manage tokens.
 */
import {
  endOfRotated,
  MOST_TOKENS_OF_ROBOT,
  mayManageTokens,
  type Principal,
} from '@portcullis/domain';
import { conflict, forbidden, notFound } from '@portcullis/errors';
import type {
  NewRobot,
  Page,
  PageOptions,
  PersonalToken,
  Robot,
  RobotUpdate,
  Store,
} from '@portcullis/store';
import { makeToken } from '../../identity/personal-tokens.ts';
import { assertSession, inDays, type TokenOrder } from '../tokens/service.ts';

export interface RobotsPorts {
  store: Pick<Store, 'robots' | 'tokens' | 'groups' | 'users'>;
  /** Cancels and deletes the robot's staging jobs with their layouts; returns their number. */
  discardJobsOf(userId: string): Promise<number>;
  now(): Date;
}

/** A robot as one account sees it. */
export interface SeenRobot {
  robot: Robot;
  manageable: boolean;
}

export function createRobotsService({ store, discardJobsOf, now }: RobotsPorts) {
  const { robots, tokens } = store;

  async function groupsOf({ id }: Principal): Promise<ReadonlySet<string>> {
    return new Set((await store.groups.of(id)).map((group) => group.id));
  }

  async function list(principal: Principal, page: PageOptions): Promise<Page<SeenRobot>> {
    const mine = await groupsOf(principal);
    const options = principal.isAdmin ? page : { ...page, ownedBy: [...mine] };
    const { items, ...rest } = await robots.list(options);
    return { ...rest, items: items.map((robot) => viewOf(principal, mine, robot)) };
  }

  /** @throws not_found also for robots of other groups */
  async function get(principal: Principal, id: string): Promise<SeenRobot> {
    const [robot, mine] = await Promise.all([robots.find(id), groupsOf(principal)]);
    const isOwn = principal.isAdmin || (robot?.owner ? mine.has(robot.owner.id) : false);
    if (!robot || !isOwn) throw notFound('ROBOT_UNKNOWN', 'There is no robot with this id.');
    return viewOf(principal, mine, robot);
  }

  async function managed(principal: Principal, id: string): Promise<Robot> {
    assertSession(principal);
    const { robot, manageable } = await get(principal, id);
    if (manageable) return robot;
    throw forbidden(
      'ROBOT_FORBIDDEN',
      'The robot has rights that you have not; an administrator manages its tokens.',
    );
  }

  async function tokenOf(robot: Robot, tokenId: string): Promise<PersonalToken> {
    const token = await tokens.find(tokenId);
    if (token?.userId !== robot.id || token.trustId !== null)
      throw notFound('TOKEN_UNKNOWN', 'The robot has no token with this id.');
    return token;
  }

  async function assertRoom({ id }: Robot): Promise<void> {
    if ((await tokens.list(id)).length < MOST_TOKENS_OF_ROBOT) return;
    throw conflict(
      'TOKENS_MANY',
      `A robot has ${MOST_TOKENS_OF_ROBOT} tokens at most; revoke some.`,
    );
  }

  /** The token is in this reply only. */
  async function createToken(principal: Principal, id: string, order: TokenOrder) {
    const robot = await managed(principal, id);
    await assertRoom(robot);
    const { token, hash, hint } = makeToken('robot');
    const { name, scope, days } = order;
    const made = await tokens.insert({
      userId: robot.id,
      name,
      scope,
      hint,
      hash,
      expiresAt: inDays(days),
    });
    return { robot, made, token };
  }

  /** The new token has the scope of the former, and is valid for as long as that one was. */
  async function rotateToken(
    principal: Principal,
    { id, tokenId }: { id: string; tokenId: string },
    overlapHours: number,
  ) {
    const robot = await managed(principal, id);
    const former = await tokenOf(robot, tokenId);
    await assertRoom(robot);
    const { token, hash, hint } = makeToken('robot');
    const lifetime = former.expiresAt.getTime() - former.createdAt.getTime();
    const made = await tokens.rotate(
      former.id,
      endOfRotated(former.expiresAt, overlapHours, now()),
      {
        userId: robot.id,
        name: former.name,
        scope: former.scope,
        hint,
        hash,
        expiresAt: new Date(now().getTime() + lifetime),
      },
    );
    return { robot, made, token, former };
  }

  async function removeToken(principal: Principal, id: string, tokenId: string) {
    const robot = await managed(principal, id);
    const token = await tokenOf(robot, tokenId);
    if (!(await tokens.remove(token.id)))
      throw notFound('TOKEN_UNKNOWN', 'The robot has no token with this id.');
    return { robot, token };
  }

  /** Disabling often follows a leak: tokens end for good. */
  async function update(id: string, change: RobotUpdate): Promise<Robot> {
    const robot = await robots.update(id, change);
    if (change.disabled !== true) return robot;
    await tokens.removeAll(id);
    return { ...robot, tokens: 0 };
  }

  /** Disables first, so that nothing new begins; jobs are deleted before the account. */
  async function remove(principal: Principal, id: string): Promise<{ robot: Robot; jobs: number }> {
    const { robot } = await get(principal, id);
    await robots.update(id, { disabled: true });
    const jobs = await discardJobsOf(id);
    await store.users.remove(id);
    return { robot, jobs };
  }

  return {
    list,
    get,
    create: (order: NewRobot): Promise<Robot> => robots.insert(order),
    update,
    remove,
    async listTokens(principal: Principal, id: string): Promise<PersonalToken[]> {
      const { robot } = await get(principal, id);
      return tokens.list(robot.id);
    },
    createToken,
    rotateToken,
    removeToken,
  };
}
export type RobotsService = ReturnType<typeof createRobotsService>;

function viewOf(principal: Principal, mine: ReadonlySet<string>, robot: Robot): SeenRobot {
  const facts = {
    ownerGroupId: robot.owner?.id ?? null,
    groupIds: robot.groups.map(({ id }) => id),
    canBypassVulnBlock: robot.canBypassVulnBlock,
  };
  return { robot, manageable: mayManageTokens(principal, mine, facts) };
}
