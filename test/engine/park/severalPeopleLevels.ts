import { sendAndWait, useParkRig } from './parkRig';
import type { ApprovalService } from './parkService';

/** Parameters of a node that has several people decide the question of each item. */
export const severalPeopleParameters = (levels: object[], options: object = {}) =>
	sendAndWait({ decidedBy: 'severalPeople', levels: { level: levels }, options });

/** The option Limit Wait Time. */
export const limitWaitTime = (minutes: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: minutes, resumeUnit: 'minutes' },
	},
});

/** A level of three people, of whom two must approve. */
export const twoOfThree = { name: 'Finance', people: '1,2,3', needed: 'number', neededNumber: 2 };
/** A level of one person. */
export const manager = { name: 'Manager', people: '9', needed: 'all' };
/** A level of three people with a deputy, who gets a request after ten minutes. */
export const withDeputy = {
	...twoOfThree,
	deputies: '7',
	deputiesAfter: 10,
	deputiesAfterUnit: 'minutes',
};

/** Returns the number of requests to each user. */
export function countRequestsByUser({ recipients }: ApprovalService): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { user } of recipients.values()) counts[user] = (counts[user] ?? 0) + 1;
	return counts;
}

/** Sets up the rig for tests in which several people decide. */
export function useSeveralPeople() {
	const rig = useParkRig();
	return {
		rig,
		open: rig.open,
		start: rig.start,
		advanceTime: rig.advanceTime,
		/** Returns the items that an execution passed on to the next node. */
		readNextInputs: (executionId: string) => rig.host.nextInputs.get(executionId),
		readStatus: (executionId: string) => rig.host.executions.get(executionId)!.status,
		decideLastRequestOf: (user: string, status?: string) =>
			rig.service.decideLastRequestOf(user, status),
		countRequests: () => countRequestsByUser(rig.service),
	};
}
