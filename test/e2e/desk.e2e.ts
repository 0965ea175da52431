// Protects users of the desk: what they register, check in, book or change reaches the service, and a form names its errors.
import type { Json } from '../sandbox/eventClients';
import { strictEventId, simpleEventId, useDesk } from './desk.browser';

const {
	page,
	button,
	field,
	row,
	waitForToast,
	tab,
	sheetButton,
	chooseEvent,
	ignorePageError,
	registrationHttp,
	advanceClock,
	listSince,
	readLast,
	registerKim,
} = useDesk();

it('the desk registers a person through the event’s own form, which names missing fields', async () => {
	await chooseEvent(strictEventId);
	await page().getByText('The newest 50 of').waitFor();
	await button('Register a Person').click();
	await page().getByRole('heading', { name: 'Register for Harbor Security Summit' }).waitFor();
	await field('First name').fill('Kim');
	await field('Email address').fill('kim');
	await button('Register').click();
	await page().getByText('The Last name field is required.').waitFor();
	await page().getByText('The Email address field is not a valid email address.').waitFor();
	await page().getByText('The Company or organization field is required.').waitFor();
	expect(await page().evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
		'LastName',
	);
	ignorePageError('status of 400');

	await field('Last name').fill('Okafor');
	await field('Email address').fill('kim@okafor.example');
	await field('Company or organization').fill('Gate & Sons');
	await field('Country of residence').fill('Nigeria');
	await field('Registration type').selectOption('Speaker');
	await button('Register').click();
	await waitForToast('Kim Okafor is registered');
	await row('Kim Okafor').waitFor();
	const newRegistration = await readLast(
		`/events/${strictEventId}/registrations?pageSize=200&page=3`,
	);
	expect(newRegistration).toMatchObject({
		FirstName: 'Kim',
		RegistrationStatus: 'Confirmed',
		CustomFields: [
			{ Name: 'Company', Value: 'Gate & Sons' },
			{ Name: 'Country', Value: 'Nigeria' },
		],
	});
});

it('the desk checks a person in and out, at the event and at a session', async () => {
	await chooseEvent(simpleEventId);
	await registerKim();
	const startTime = advanceClock();
	const kim = row('Kim Okafor');
	await button('Check In: Kim Okafor').click();
	await button('Check Out: Kim Okafor').waitFor();
	expect(await kim.innerText()).toContain('In since');
	const attendancePath = `/events/${simpleEventId}/attendance`;
	expect(await listSince(attendancePath, 'lastUpdatedAfter', startTime)).toMatchObject([
		{ CheckOutDateTime: null },
	]);
	const checkOutTime = advanceClock();
	await button('Check Out: Kim Okafor').click();
	await kim.getByText('Left').waitFor();
	expect(await listSince(attendancePath, 'lastUpdatedAfter', checkOutTime)).toMatchObject([
		{ FirstName: 'Kim', CheckOutDateTime: expect.any(String) },
	]);

	await page().getByLabel('Door').selectOption('3050');
	await kim.getByText('Not here yet').waitFor();
	const sessionTime = advanceClock();
	await button('Check In: Kim Okafor').click();
	await button('Check Out: Kim Okafor').waitFor();
	expect(await listSince(`${attendancePath}/3050`, 'lastUpdatedAfter', sessionTime)).toHaveLength(
		1,
	);
	expect(await listSince(`${attendancePath}/3049`, 'lastUpdatedAfter', sessionTime)).toEqual([]);
	expect(await listSince(attendancePath, 'lastUpdatedAfter', sessionTime)).toEqual([]);
});

it('the desk changes and cancels a registration', async () => {
	await chooseEvent(simpleEventId);
	await registerKim();
	await button('Kim Okafor').click();
	const startTime = advanceClock();
	await field('Mobile phone').fill('+15550100');
	await button('Save Changes').click();
	await waitForToast('Saved');
	const changed = { FirstName: 'Kim', MobilePhone: '+15550100' };
	expect(
		await listSince(`/events/${simpleEventId}/registrations`, 'lastUpdatedAfter', startTime),
	).toMatchObject([changed]);
	const cancelTime = advanceClock();
	await button('Cancel Registration').click();
	await waitForToast('The registration is canceled');
	expect(
		await listSince(`/events/${simpleEventId}/registrations`, 'lastUpdatedAfter', cancelTime),
	).toMatchObject([{ ...changed, RegistrationStatus: 'Cancelled' }]);
	await button('Close').click();
	expect(await row('Kim Okafor').innerText()).toContain('Canceled');
	expect(await button('Check In: Kim Okafor').count()).toBe(0);
});

it('the desk takes an order, a payment and a refund', async () => {
	await chooseEvent(simpleEventId);
	await registerKim();
	await button('Kim Okafor').click();
	const startTime = advanceClock();
	await page().getByText('Take an Order', { exact: true }).click();
	await field('Admission').selectOption('41302');
	await field('Pay later').check();
	await button('Take Order').click();
	await waitForToast('The order is taken');
	const total = 3120;
	const orders = await registrationHttp().post<Json[]>('/orders/search', simpleEventId, {
		params: { addedAfter: startTime },
	});
	expect(orders.data).toMatchObject([{ OrderTotal: total, IsReplaced: false }]);
	expect(await listSince('/transactions', 'addedAfter', startTime)).toEqual([]);

	await page().locator('summary', { hasText: 'Take Payment' }).click();
	await button('Take Payment').click();
	await waitForToast('The payment is booked');
	await page().locator('summary', { hasText: 'Refund' }).click();
	await field('Amount in DKK').fill('9999');
	await button('Refund').click();
	await page().getByText(`At most ${total} DKK can be given back.`).waitFor();
	ignorePageError('status of 400');
	await field('Amount in DKK').fill('120.50');
	await field('Note').fill('One day less');
	await button('Refund').click();
	await waitForToast('The refund is booked');
	expect(await listSince('/transactions', 'addedAfter', startTime)).toMatchObject([
		{ TransactionType: 'Payment', TransactionAmount: total },
		{ TransactionType: 'Refund', TransactionAmount: -120.5, Memo: 'One day less' },
	]);
});

it('the desk adds, changes and removes a contact', async () => {
	await tab('Contacts').click();
	await page().getByLabel('Contact list').selectOption('7003');
	const startTime = advanceClock();
	await button('Add Contact').click();
	await field('First name').fill('Kim');
	await sheetButton('Add Contact').click();
	await page().getByText('The Email address field is required.').waitFor();
	ignorePageError('status of 400');
	await field('Email address').fill('kim@okafor.example');
	await sheetButton('Add Contact').click();
	await waitForToast('Kim was added');
	const contactsPath = '/contactlists/7003/contacts';
	expect(await listSince(contactsPath, 'updatedAfter', startTime)).toMatchObject([
		{ FirstName: 'Kim' },
	]);
	await button('Kim').click();
	await field('Organization').fill('Gate & Sons');
	await button('Save Changes').click();
	await waitForToast('Kim was changed');
	expect(await listSince(contactsPath, 'updatedAfter', startTime)).toMatchObject([
		{ Organization: 'Gate & Sons' },
	]);
	await button('Kim').click();
	await button('Remove Contact').click();
	await waitForToast('Kim was removed');
	expect(await listSince(contactsPath, 'updatedAfter', startTime)).toEqual([]);
});

it('the desk adds and removes a session, changes an event and creates one', async () => {
	await chooseEvent(simpleEventId);
	await tab('Program').click();
	await button('Add Session').click();
	await field('Title').fill('Late addition');
	await field('Starts').fill('2030-05-17T09:00');
	await field('Ends').fill('2030-05-17T08:00');
	await sheetButton('Add Session').click();
	await page().getByText('The end must be later than the start.').waitFor();
	ignorePageError('status of 400');
	await field('Ends').fill('2030-05-17T10:00');
	await sheetButton('Add Session').click();
	await waitForToast('The session was added');
	expect(await readLast(`/events/${simpleEventId}/sessions`)).toMatchObject({
		Title: 'Late addition',
	});
	await button('Late addition').click();
	await button('Take Off the Program').click();
	await waitForToast('Late addition was taken off');

	const startTime = advanceClock();
	await button('Change Event').click();
	await field('Name').fill('');
	await button('Save Changes').click();
	await page().getByText("'Name' is required").waitFor();
	ignorePageError('status of 400');
	await field('Name').fill('Northern Nights');
	await button('Save Changes').click();
	await waitForToast('The event was changed');
	expect(await listSince('/events', 'updatedAfter', startTime)).toMatchObject([
		{ EventId: simpleEventId, Name: 'Northern Nights' },
	]);
	await button('New Event').click();
	await field('Name').fill('Brand New Days');
	await field('Starts').fill('2030-05-17T09:00');
	await field('Ends').fill('2030-05-18T18:00');
	await button('Make Event').click();
	await waitForToast('The event was made');
	await page().locator('#program-event', { hasText: 'Brand New Days' }).waitFor();
	await page().getByText('There are no sessions yet.').waitFor();
	await tab('People').click();
	await page().getByText('No one is here yet.').waitFor();
});
