/** The operations on robots and their tokens. */
import {
  contract,
  type NewRobot as NewRobotBody,
  type RobotChange,
  type Robot as Shown,
} from '@portcullis/contract';
import type { NewRobot, Robot, RobotUpdate } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import { presentToken, scopeOrder } from '../tokens/present.ts';
import type { RobotsService, SeenRobot } from './service.ts';

export function robotsRoutes(service: RobotsService): Route[] {
  return implement(contract.robots, {
    async list({ query }, call) {
      const page = await service.list(call.principal, query);
      announcePage(call, page);
      return page.items.map(presentRobot);
    },

    async create({ body }, call) {
      call.note({ ...body });
      const robot = await service.create(robotOrder(body, call.principal.username));
      about(call, robot);
      call.header('Location', `/api/robots/${robot.id}`);
      return presentRobot({ robot, manageable: true });
    },

    async get({ params }, call) {
      return presentRobot(await service.get(call.principal, params.id));
    },

    async update({ params, body }, call) {
      call.about({ kind: 'robot', id: params.id, name: null });
      call.note({ ...body });
      const robot = await service.update(params.id, robotUpdate(body));
      about(call, robot);
      return presentRobot({ robot, manageable: true });
    },

    async remove({ params }, call) {
      call.about({ kind: 'robot', id: params.id, name: null });
      const { robot, jobs } = await service.remove(call.principal, params.id);
      about(call, robot);
      call.note({ jobs });
    },

    async listTokens({ params }, call) {
      return (await service.listTokens(call.principal, params.id)).map(presentToken);
    },

    async createToken({ params, body }, call) {
      const { name, scope, expires_in_days: days } = body;
      call.about({ kind: 'robot', id: params.id, name: null });
      call.note({ token: name, scope, expires_in_days: days });
      const order = { name, scope: scopeOrder(scope), days };
      const { robot, made, token } = await service.createToken(call.principal, params.id, order);
      about(call, robot);
      call.note({ token_id: made.id });
      return { ...presentToken(made), token };
    },

    async rotateToken({ params: { id, token_id: tokenId }, body }, call) {
      call.about({ kind: 'robot', id, name: null });
      call.note({ former_token_id: tokenId, overlap_hours: body.overlap_hours });
      const which = { id, tokenId };
      const rotated = await service.rotateToken(call.principal, which, body.overlap_hours);
      about(call, rotated.robot);
      call.note({ token: rotated.made.name, token_id: rotated.made.id });
      return { ...presentToken(rotated.made), token: rotated.token };
    },

    async removeToken({ params: { id, token_id: tokenId } }, call) {
      call.about({ kind: 'robot', id, name: null });
      call.note({ token_id: tokenId });
      const { robot, token } = await service.removeToken(call.principal, id, tokenId);
      about(call, robot);
      call.note({ token: token.name });
    },
  });
}

function about(call: ApiCall, { id, name }: Robot): void {
  call.about({ kind: 'robot', id, name });
}

function presentRobot({ robot, manageable }: SeenRobot): Shown {
  return {
    id: robot.id,
    name: robot.name,
    description: robot.description,
    owner: robot.owner,
    groups: robot.groups,
    can_bypass_vuln_block: robot.canBypassVulnBlock,
    disabled: robot.disabled,
    tokens: robot.tokens,
    last_used_at: robot.lastUsedAt?.toISOString() ?? null,
    created_by: robot.createdBy,
    created_at: robot.createdAt.toISOString(),
    manageable,
  };
}

function robotOrder(body: NewRobotBody, createdBy: string): NewRobot {
  const { owner_group_id: ownerGroupId } = body;
  return {
    name: body.name,
    description: body.description,
    ownerGroupId,
    groupIds: body.group_ids ?? (ownerGroupId === null ? [] : [ownerGroupId]),
    canBypassVulnBlock: body.can_bypass_vuln_block,
    createdBy,
  };
}

function robotUpdate(body: RobotChange): RobotUpdate {
  const change = {
    description: body.description,
    disabled: body.disabled,
    ownerGroupId: body.owner_group_id,
    groupIds: body.group_ids,
    canBypassVulnBlock: body.can_bypass_vuln_block,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
