/** The operations on robots and their tokens. */
import { contract, fromWire, NewRobot as NewRobotBody, RobotChange } from '@portcullis/contract';
import type { NewRobot, Robot } from '@portcullis/store';
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
      const robot = await service.update(params.id, fromWire(RobotChange, body));
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

function presentRobot({ robot, manageable }: SeenRobot) {
  return { ...robot, manageable };
}

function robotOrder(body: NewRobotBody, createdBy: string): NewRobot {
  const { ownerGroupId, groupIds, ...rest } = fromWire(NewRobotBody, body);
  const rights = groupIds ?? (ownerGroupId === null ? [] : [ownerGroupId]);
  return { ...rest, ownerGroupId, groupIds: rights, createdBy };
}
