import type { INodeParameters } from 'n8n-workflow';

/** A resource locator as n8n stores it. */
export const byId = (value: string | number) => ({ __rl: true, mode: 'id', value: `${value}` });

/** Records that the sandbox's season always has. */
export const known = {
	eventId: 1001,
	sessionId: 3001,
	registrationTypeId: 2001,
	optionGroupId: 4001,
	registrationId: 5_000_001,
	orderId: 6_000_001,
	contactListId: 7003,
	optionId: 41_001,
} as const;

/** Values for the inputs of a form, as the resource mapper stores them without a description of the form. */
export const mapped = (value: Record<string, unknown>): INodeParameters =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as never;

const event = { eventId: byId(known.eventId) };
const list = { contactListId: byId(known.contactListId) };
const person = { FirstName: 'Zoë', LastName: "O'Brien", Email: 'zoe.obrien@example.com' };

/** One operation of the node, with parameters that succeed in the sandbox. */
export interface Sample {
	resource: string;
	operation: string;
	/** The contract's name for the request; of composed operations, the one that writes. */
	request: string;
	parameters: INodeParameters;
	/** A field that every item of the output has. */
	shows: string;
	/** A parameter that names something, and the same for something that does not exist. */
	unknown?: INodeParameters;
	repeatable: boolean;
}

const noEvent = { eventId: byId(9999) };
const noList = { contactListId: byId(9999) };

const read = (
	resource: string,
	operation: string,
	request: string,
	shows: string,
	parameters: INodeParameters,
	unknown?: INodeParameters,
): Sample => ({ resource, operation, request, shows, parameters, unknown, repeatable: true });

const write = (...given: Parameters<typeof read>): Sample => ({
	...read(...given),
	repeatable: false,
});

/** Every operation of the node. `contactId` and `transactionId` depend on the season, so they are looked up. */
export const samples = (found: { contactId: number; transactionId: number }): Sample[] => {
	const { sessionId, registrationTypeId, optionGroupId, registrationId, orderId } = known;
	const session = { ...event, sessionId: byId(sessionId) };
	const type = { ...event, registrationTypeId: byId(registrationTypeId) };
	const group = { ...event, optionGroupId: byId(optionGroupId) };
	const registration = { ...event, registrationId: byId(registrationId) };
	const order = { ...event, orderId: `${orderId}` };
	const contact = { ...list, contactId: byId(found.contactId) };
	const options = { options: [{ optionId: `${known.optionId}`, quantity: 1 }] };
	const changes = { details: mapped({ LastName: 'Øster' }) };
	const details = { details: mapped(person) };
	const upsert = {
		email: 'new.person@example.com',
		details: mapped({ ...person, Email: undefined }),
	};
	return [
		read('attendance', 'getManyForEvent', 'getManyEventAttendance', 'CheckInLogId', event, noEvent),
		read('attendance', 'getManyForSession', 'getManySessionAttendance', 'SessionTitle', session, {
			...session,
			sessionId: byId(99_999),
		}),
		write('contact', 'add', 'addContacts', 'ContactListId', { ...list, ...details }, noList),
		write('contact', 'createOrUpdate', 'addContacts', 'created', { ...list, ...upsert }, noList),
		read('contact', 'get', 'getContact', 'ContactId', contact, { ...contact, contactId: byId(1) }),
		read('contact', 'getForm', 'getContactForm', 'caption', list, noList),
		read('contact', 'getMany', 'getManyContacts', 'ContactId', list, noList),
		read('contact', 'remove', 'removeContact', 'success', contact, {
			...contact,
			contactId: byId(1),
		}),
		read('contact', 'search', 'searchContacts', 'ContactId', list, noList),
		write(
			'contact',
			'update',
			'updateContact',
			'ContactId',
			{ ...contact, ...changes },
			{
				...contact,
				...changes,
				contactId: byId(1),
			},
		),
		write('contactList', 'create', 'createContactList', 'ContactListId', { name: 'Helpers' }),
		read('contactList', 'delete', 'deleteContactList', 'success', list, noList),
		read('contactList', 'get', 'getContactList', 'ContactCount', list, noList),
		read('contactList', 'getMany', 'getManyContactLists', 'ContactListId', {}),
		write(
			'contactList',
			'update',
			'updateContactList',
			'Name',
			{ ...list, name: 'Speakers!' },
			{
				...noList,
				name: 'Speakers!',
			},
		),
		read('event', 'get', 'getEvent', 'EventId', event, noEvent),
		read('event', 'getMany', 'getManyEvents', 'EventId', {}),
		read('optionGroup', 'getMany', 'getManyOptionGroups', 'IsOptional', event, noEvent),
		read('optionGroup', 'getOptions', 'getOptionGroupOptions', 'Price', group, {
			...group,
			optionGroupId: byId(1),
		}),
		read('order', 'get', 'getOrder', 'OrderTotal', order, { ...order, orderId: '1' }),
		read('order', 'getItems', 'getOrderItems', 'OrderItemId', order, { ...order, orderId: '1' }),
		read('order', 'getItemsForRegistration', 'searchOrderItems', 'OrderItemId', registration, {
			...registration,
			registrationId: byId(1),
		}),
		read('order', 'getManyForEvent', 'searchOrders', 'OrderId', event, noEvent),
		write(
			'registration',
			'create',
			'createRegistration',
			'ConfirmationCode',
			{ ...event, ...details },
			{
				...noEvent,
				...details,
			},
		),
		write(
			'registration',
			'createOrUpdate',
			'createRegistration',
			'created',
			{ ...event, ...upsert },
			{
				...noEvent,
				...upsert,
			},
		),
		read('registration', 'get', 'getRegistration', 'RegistrationId', registration, {
			...registration,
			registrationId: byId(1),
		}),
		read('registration', 'getForm', 'getRegistrationForm', 'caption', event, noEvent),
		read('registration', 'getMany', 'getManyRegistrations', 'RegistrationId', event, noEvent),
		read('registration', 'getOptions', 'getRegistrationOptions', 'OrderItemId', registration, {
			...registration,
			registrationId: byId(1),
		}),
		write(
			'registration',
			'replaceOptions',
			'replaceRegistrationOptions',
			'OrderId',
			{ ...registration, registrationOptions: options },
			{ ...registration, registrationOptions: options, registrationId: byId(1) },
		),
		read('registration', 'search', 'searchRegistrations', 'RegistrationId', event, noEvent),
		write(
			'registration',
			'update',
			'updateRegistration',
			'LastName',
			{ ...registration, ...changes },
			{
				...registration,
				...changes,
				registrationId: byId(1),
			},
		),
		read('registrationType', 'get', 'getRegistrationType', 'Description', type, {
			...type,
			registrationTypeId: byId(1),
		}),
		read('registrationType', 'getMany', 'getManyRegistrationTypes', 'Name', event, noEvent),
		read('session', 'get', 'getSession', 'Title', session, { ...session, sessionId: byId(1) }),
		read('session', 'getMany', 'getManySessions', 'SessionId', event, noEvent),
		read('session', 'search', 'searchSessions', 'SessionId', event, noEvent),
		read(
			'transaction',
			'get',
			'getTransaction',
			'TransactionAmount',
			{ transactionId: `${found.transactionId}` },
			{ transactionId: '1' },
		),
		read('transaction', 'getMany', 'getManyTransactions', 'TransactionId', {}),
		read('transaction', 'getManyForEvent', 'searchTransactions', 'TransactionId', event, noEvent),
	];
};
