// Protects schedules: a session that would end before it starts is rejected in the words of the panel, and nothing is sent.
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();
const run = async (operation: string, parameters: object) => {
	rig.sandbox.requestLog.clear();
	return await rig.run('eventData', { resource: 'session', operation, ...parameters });
};
const countWrites = () =>
	rig.sandbox.requestLog.entries().filter(({ method }) => method !== 'GET').length;
const times = (startTime: string, endTime: string) => ({ startTime, endTime });
const READ_ALL = { returnAll: true };

const createSession = async (parameters: object) =>
	await run('create', { eventId: locateById('evt_1004'), title: 'Talk', ...parameters });

it('a new session must not end before it starts', async () => {
	const { error } = await createSession(times('2026-11-02T10:00:00Z', '2026-11-01T10:30:00Z'));
	expect(error?.message).toBe(
		"'End Time' (1 Nov 2026, 10:30) is before 'Start Time' (2 Nov 2026, 10:00)",
	);
	expect(countWrites()).toBe(0);
});

it('a changed session must not end before it starts, whichever of the times changes', async () => {
	const { outputItems } = await run('getMany', READ_ALL);
	const { id, startTime, endTime } = outputItems[0] as Record<string, string>;
	const dayBefore = new Date(Date.parse(startTime!) - 86_400_000).toISOString();
	const dayAfter = new Date(Date.parse(endTime!) + 86_400_000).toISOString();
	for (const changes of [{ endTime: dayBefore }, { startTime: dayAfter }]) {
		const { error } = await run('update', { sessionId: locateById(id!), changes });
		expect(error?.message).toMatch(/^'End Time' \(.+\) is before 'Start Time' \(.+\)$/);
		expect(countWrites()).toBe(0);
	}
	const moved = await run('update', {
		sessionId: locateById(id!),
		changes: { startTime: dayAfter, endTime: dayAfter },
	});
	// Whether a session may have no length is up to the service.
	expect(countWrites()).toBe(1);
	expect(moved.error?.message ?? '').not.toContain('is before');
});
