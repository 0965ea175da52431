// Protects users who enter an unknown ID: the error recognizes an ID of Event Registration, and shows the valid format.
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();

/** Gets an event that does not exist. Returns the description of the error. */
const getEventError = async (value: string) => {
	const eventId = locateById(value);
	const parameters = { resource: 'event', operation: 'get', eventId };
	const { error } = await rig.run('eventData', parameters);
	return (error as { description?: string } | undefined)?.description;
};

it('the error for an unknown ID that is a plain number shows the format of valid IDs', async () => {
	expect(await getEventError('1004')).toBe(
		'IDs of Event Data look like evt_1004 or att_20017; a plain number belongs to Event Registration. Choose the record from the list.',
	);
});

it('the error for an unknown ID in the valid format advises to check the ID', async () => {
	expect(await getEventError('evt_9999')).toBe(
		'Check the ID, or whether this credential can access it.',
	);
});
