// Protects users who enter times without a time zone: one hint for all items says in which time zone the node read them.
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();

/** Creates the same session for two input items. */
const createSessions = async (startTime: string, endTime: string, timezone: string) =>
	await rig.run(
		'eventData',
		{
			resource: 'session',
			operation: 'create',
			eventId: locateById('evt_1004'),
			title: 'Opening keynote',
			startTime,
			endTime,
		},
		[{}, {}],
		{ timezone },
	);

it('times without a time zone add one hint for all items, with the time zone that was used', async () => {
	const { outputItems, hints } = await createSessions(
		'2026-11-30T10:00:00',
		'2026-11-30T11:00:00',
		'America/New_York',
	);
	expect(outputItems[0]).toMatchObject({ startTime: expect.stringMatching(/T15:00:00/) as string });
	expect(hints.map(({ message }) => message)).toEqual([
		"Dates and times without a time zone were read in America/New_York, the time zone of this workflow. To use another one, write it with the time (2026-11-30T09:00:00+01:00), or change 'Timezone' in the settings of the workflow.",
	]);
});

it('times with a time zone add no hint', async () => {
	const { hints } = await createSessions(
		'2026-11-30T10:00:00+01:00',
		'2026-11-30T10:00:00Z',
		'America/New_York',
	);
	expect(hints).toEqual([]);
});
