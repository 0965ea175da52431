// Protects tests of writes to registrations: the sandbox stores what the form allows, and charges only price differences.
import { readAll, useEventRegistration } from './eventClients';
import type { Json } from './eventClients';

const { sandbox, http } = useEventRegistration();

// The form of event 1003 requires a company and a country, that of event 1004 does not.
const [strictEvent, simpleEvent] = ['/events/1003', '/events/1004'];
const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
/** Advances the clock, and returns the new time. */
const advanceClock = () => {
	sandbox.clock.advance(5000);
	return new Date(sandbox.clock.now()).toISOString();
};
const readFirst = async (path: string) => (await http.get<Json[]>(path)).data[0]!;

describe('creating a registration', () => {
	it('is visible in the next read, the count and the search', async () => {
		const { data: before } = await http.get<Json>(simpleEvent);
		const beforeChange = advanceClock();
		const { status, data: created } = await http.post<Json>(`${simpleEvent}/registrations`, person);
		expect(status).toBe(200);
		expect(created).toMatchObject({
			...person,
			RegistrationStatus: 'Confirmed',
			HostRegistrationId: null,
		});
		expect(created.ConfirmationCode).toMatch(/^[A-Z2-9]{8}$/);
		expect((created.LastUpdated as string) >= beforeChange).toBe(true);
		const { data: fetched } = await http.get(
			`${simpleEvent}/registrations/${created.RegistrationId as number}`,
		);
		expect(fetched).toEqual(created);
		const { data: after } = await http.get<Json>(simpleEvent);
		expect(after.RegistrationCount).toBe((before.RegistrationCount as number) + 1);
		const search = { Email: person.Email, RegistrationTypeId: created.RegistrationTypeId };
		expect((await http.post(`${simpleEvent}/registrations/search`, search)).data).toEqual([
			created,
		]);
		const { data: options } = await http.get(
			`${simpleEvent}/registrations/${created.RegistrationId as number}/options`,
		);
		expect(options).toEqual([]);
	});

	it('requires every field that the form requires', async () => {
		sandbox.settings.eventRegistration.formShape = 'array';
		const { data: form } = await http.get<Json[]>(`${strictEvent}/registrations/registrationform`);
		const required = form.filter((field) => field.required).map(({ name }) => name);
		expect(required).toEqual(['FirstName', 'LastName', 'Email', 'Company', 'Country']);
		const { status, data } = await http.post<Json>(`${strictEvent}/registrations`, {});
		expect(status).toBe(400);
		expect(Object.keys(data.ModelState as object)).toEqual([
			'FirstName',
			'LastName',
			'Email',
			'CustomFields.Company',
			'CustomFields.Country',
		]);
		const CustomFields = [
			{ Name: 'Company', Value: 'Gate & Sons' },
			{ Name: 'Country', Value: 'Senegal' },
		];
		const validResponse = await http.post<Json>(`${strictEvent}/registrations`, {
			...person,
			CustomFields,
		});
		expect(validResponse.data).toMatchObject({ CustomFields });
	});

	it.each([
		['Email', { ...person, Email: 'duc' }],
		['FirstName', { ...person, FirstName: ' ' }],
		['RegistrationTypeId', { ...person, RegistrationTypeId: 2001 }],
		['RegistrationManagerEmail', { ...person, RegistrationManagerEmail: 'boss' }],
		['CustomFields.Diet', { ...person, CustomFields: [{ Name: 'Diet', Value: 'Stones' }] }],
		['CustomFields.Shoe', { ...person, CustomFields: [{ Name: 'Shoe', Value: '44' }] }],
	])('is rejected for an invalid %s, and nothing is stored', async (field, body) => {
		const { data: before } = await http.get(simpleEvent);
		const { status, data } = await http.post<Json>(`${simpleEvent}/registrations`, body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ Message: 'The request is invalid.' });
		expect(Object.keys(data.ModelState as object)).toEqual([field]);
		expect((await http.get(simpleEvent)).data).toEqual(before);
	});

	it('sends an email to the attendee only if requested', async () => {
		const countMails = () => sandbox.world.phone.items({ email: person.Email }).length;
		await http.post(`${simpleEvent}/registrations`, person);
		expect(countMails()).toBe(0);
		const { data } = await http.post<Json>(`${simpleEvent}/registrations`, {
			...person,
			SendEmails: true,
		});
		expect(countMails()).toBe(1);
		const path = `${simpleEvent}/registrations/${data.RegistrationId as number}`;
		await http.patch(path, { LastName: 'Ndour' });
		expect(countMails()).toBe(1);
		await http.patch(path, { SendEmails: true });
		expect(countMails()).toBe(2);
	});
});

describe('updating a registration', () => {
	it('changes the named fields and keeps all others', async () => {
		const registrationBefore = await readFirst(`${simpleEvent}/registrations`);
		const path = `${simpleEvent}/registrations/${registrationBefore.RegistrationId as number}`;
		const beforeChange = advanceClock();
		const change = { LastName: 'Gate', CustomFields: [{ Name: 'Diet', Value: 'Vegan' }] };
		expect((await http.patch(path, change)).status).toBe(200);
		const { data: after } = await http.get<Json>(path);
		expect(after).toEqual({
			...registrationBefore,
			LastName: 'Gate',
			CustomFields: expect.arrayContaining(change.CustomFields),
			LastUpdated: expect.any(String),
		});
		expect(after.CustomFields).toHaveLength((registrationBefore.CustomFields as Json[]).length);
		expect((after.LastUpdated as string) >= beforeChange).toBe(true);
		for (const bad of [{ Email: 'x' }, { LastName: '' }, { RegistrationTypeId: 1 }]) {
			expect((await http.patch(path, bad)).status).toBe(400);
		}
		expect((await http.get(path)).data).toEqual(after);
	});
});

describe('searching registrations', () => {
	it('returns the registrations that match all criteria, also in custom fields', async () => {
		const allRegistrations = await readAll(http, `${simpleEvent}/registrations`);
		const search = (body: Json) => readSearch(`${simpleEvent}/registrations/search`, body);
		const { RegistrationTypeId } = allRegistrations[0]!;
		const registrationsOfType = allRegistrations.filter(
			(registration) => registration.RegistrationTypeId === RegistrationTypeId,
		);
		expect(await search({ RegistrationTypeId })).toEqual(registrationsOfType);
		const veganRegistrations = registrationsOfType.filter(({ CustomFields }) =>
			(CustomFields as Json[]).some(({ Name, Value }) => Name === 'Diet' && Value === 'Vegan'),
		);
		expect(await search({ RegistrationTypeId, Diet: 'VEGAN' })).toEqual(veganRegistrations);
		const cancelledRegistrations = allRegistrations.filter(
			(registration) => registration.RegistrationStatus === 'Cancelled',
		);
		expect(cancelledRegistrations.length).toBeGreaterThan(0);
		expect(await search({ RegistrationStatus: 'Cancelled' })).toEqual(cancelledRegistrations);
		const times = allRegistrations.map(({ LastUpdated }) => LastUpdated as string).sort();
		const [UpdatedAfter, UpdatedBefore] = [times[50]!, times[150]!];
		expect(await search({ UpdatedAfter, UpdatedBefore })).toEqual(
			allRegistrations.filter(
				({ LastUpdated: updatedAt }) =>
					(updatedAt as string) > UpdatedAfter && (updatedAt as string) < UpdatedBefore,
			),
		);
	});

	async function readSearch(path: string, body: Json): Promise<Json[]> {
		const matches: Json[] = [];
		for (let page = 1; page < 100; page++) {
			const { data } = await http.post<Json[]>(path, body, { params: { page } });
			matches.push(...data);
			if (data.length < 200) break;
		}
		return matches;
	}
});

describe('replacing options', () => {
	async function setUp() {
		const { data: orders } = await http.post<Json[]>('/orders/search', 1004);
		const order = orders.find(({ OrderTotal }) => (OrderTotal as number) > 0)!;
		const groups = (await http.get<Json[]>(`${simpleEvent}/registrationoptiongroups`)).data;
		const readOptions = async (index: number) => {
			const groupId = groups[index]!.RegistrationOptionGroupId as number;
			return (await http.get<Json[]>(`${simpleEvent}/registrationoptiongroups/${groupId}`)).data;
		};
		const path = `${simpleEvent}/registrations/${order.RegistrationId as number}`;
		return { order, path, admission: await readOptions(0), evening: await readOptions(2) };
	}
	const readTransactionIds = async () =>
		(await readTransactions()).map(({ TransactionId }) => TransactionId);
	async function readTransactions(): Promise<Json[]> {
		const transactions: Json[] = [];
		for (let page = 1; page < 100; page++) {
			const { data } = await http.post<Json[]>('/transactions/search', 1004, { params: { page } });
			transactions.push(...data);
			if (data.length < 200) break;
		}
		return transactions;
	}

	it('creates a new order in place of the old one, and charges the difference each time', async () => {
		const { order, path, admission, evening } = await setUp();
		const transactionsBefore = await readTransactionIds();
		const { RegistrationOptionId, Price } = admission[0]!;
		const dinner = evening[0]!;
		const RegistrationOptions = [
			{ RegistrationOptionId },
			{ RegistrationOptionId: dinner.RegistrationOptionId, Quantity: 2, AdditionalInfo: 'Vegan' },
		];
		const beforeChange = advanceClock();
		const { status, data } = await http.put<Json>(`${path}/options`, { RegistrationOptions });
		expect(status).toBe(200);
		const total = (Price as number) + 2 * (dinner.Price as number);
		expect(data).toMatchObject({ OrderTotal: total, IsReplaced: false });

		const { data: items } = await http.get<Json[]>(`${path}/options`);
		expect(
			items.map(({ RegistrationOptionId: id, Quantity, Total, AdditionalInfo }) => [
				id,
				Quantity,
				Total,
				AdditionalInfo,
			]),
		).toEqual([
			[RegistrationOptionId, 1, Price, ''],
			[dinner.RegistrationOptionId, 2, 2 * (dinner.Price as number), 'Vegan'],
		]);
		const oldOrderPath = `/orders/${order.OrderId as number}?eventId=1004`;
		expect((await http.get<Json>(oldOrderPath)).data).toEqual({ ...order, IsReplaced: true });
		const { data: registration } = await http.get<Json>(path);
		expect((registration.LastUpdated as string) >= beforeChange).toBe(true);

		const newTransactions = (await readTransactionIds()).filter(
			(id) => !transactionsBefore.includes(id),
		);
		expect(newTransactions).toEqual([data.TransactionId]);
		const { data: charge } = await http.get<Json>(`/transactions/${newTransactions[0] as number}`);
		const difference = total - (order.OrderTotal as number);
		expect(charge).toMatchObject({
			OrderId: data.OrderId,
			TransactionAmount: difference,
			TransactionType: difference > 0 ? 'Payment' : 'Refund',
		});

		await http.put(`${path}/options`, { PaymentAmount: 5, RegistrationOptions });
		expect(await readTransactionIds()).toHaveLength(transactionsBefore.length + 2);
		await http.put(`${path}/options`, { PaymentAmount: 0, RegistrationOptions: [] });
		expect(await readTransactionIds()).toHaveLength(transactionsBefore.length + 2);
		expect((await http.get(`${path}/options`)).data).toEqual([]);
	});

	it('is rejected without a charge if an option is invalid', async () => {
		const { path, admission, evening } = await setUp();
		const transactionsBefore = await readTransactionIds();
		const { data: optionsBefore } = await http.get(`${path}/options`);
		const good = { RegistrationOptionId: admission[0]!.RegistrationOptionId };
		const dinner = {
			RegistrationOptionId: evening[0]!.RegistrationOptionId,
			AdditionalInfo: 'None',
		};
		for (const [field, bad] of [
			['RegistrationOptionId', { RegistrationOptionId: 1 }],
			['RegistrationOptionGroupId', { ...good, RegistrationOptionGroupId: 1 }],
			['Quantity', { ...good, Quantity: 2 }],
			['AdditionalInfo', { ...dinner, AdditionalInfo: ' ' }],
		] as const) {
			const { status, data } = await http.put<Json>(`${path}/options`, {
				RegistrationOptions: [good, bad],
			});
			expect(status).toBe(400);
			expect(Object.keys(data.ModelState as object)).toEqual([`RegistrationOptions[1].${field}`]);
		}
		expect(await readTransactionIds()).toEqual(transactionsBefore);
		expect((await http.get(`${path}/options`)).data).toEqual(optionsBefore);
	});
});
