import { sendAndWait, useParkRig } from './parkRig';
import type { ApprovalService } from './parkService';

/** Parameters of a node that has several people decide the question of each item. */
export const severalPeopleParameters = (levels: object[], options: object = {}) =>
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
export function countRequestsByUser({ users }: ApprovalService): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { user } of users.values()) counts[user] = (counts[user] ?? 0) + 1;
	return counts;
}

/** Sets up the rig for tests in which several people decide. */
export function useSeveralPeople() {
	const rig = useParkRig();
	return {
		rig: rig,
		open: rig.open,
		start: rig.start,
		advanceTime: rig.advanceTime,
		/** Returns the items that an execution passed on to the next node. */
		nextInputsOf: (id: string) => rig.host.nextInputs.get(id),
		statusOf: (id: string) => rig.host.executions.get(id)!.status,
		decideLastOf: (user: string, status?: string) => rig.service.decideLastOf(user, status),
		countRequests: () => countRequestsByUser(rig.service),
	};
}
