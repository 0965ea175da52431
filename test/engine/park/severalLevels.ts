import type { ApprovalService } from './parkService';
import { sendAndWait, useWorld } from './parkWorld';

/** Parameters of a node that has several people decide the question of each item. */
export const several = (levels: object[], options: object = {}) =>
	sendAndWait({ decidedBy: 'severalPeople', levels: { level: levels }, options });

export const twoOfThree = { name: 'Finance', people: '1,2,3', needed: 'number', neededNumber: 2 };
export const manager = { name: 'Manager', people: '9', needed: 'all' };
export const withDeputy = {
	...twoOfThree,
	deputies: '7',
	deputiesAfter: 10,
	deputiesAfterUnit: 'minutes',
};

/** Returns the number of requests to each user. */
export function sentTo({ users }: ApprovalService): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { user } of users.values()) counts[user] = (counts[user] ?? 0) + 1;
	return counts;
}

/** Sets up a world in which several people decide, with what their tests read and do. */
export function useSeveral() {
	const world = useWorld();
	return {
		world,
		open: world.open,
		start: world.start,
		pass: world.pass,
		/** Returns the items that an execution passed on to the next node. */
		passedOf: (id: string) => world.host.nextInputs.get(id),
		statusOf: (id: string) => world.host.executions.get(id)!.status,
		vote: (user: string, status?: string) => world.service.vote(user, status),
		sent: () => sentTo(world.service),
	};
}
