// Protects users of the desk: it works with both services, shows changes by others at once, and keeps what a user is typing.
// It needs neither a mouse nor sideways scrolling.
import type { Json } from '../sandbox/eventClients';
import { simpleEventId, useDesk } from './desk.browser';

const {
	sandbox,
	page,
	open,
	button,
	field,
	row,
	waitForToast,
	tab,
	sheetButton,
	chooseEvent,
	ignorePageError,
	registrationHttp,
	eventDataHttp,
	registerKim,
} = useDesk();

it('the desk registers, checks in and adds sessions for the event data service too', async () => {
	await page().getByText('Event Data', { exact: true }).click();
	await chooseEvent('evt_1004');
	expect(await tab('Contacts').isVisible()).toBe(false);
	await button('Register a Person').click();
	await field('First name').fill('Kim');
	await field('Last name').fill('Okafor');
	await field('Email address').fill('kim');
	await button('Register').click();
	await page().getByText("'email' must be an email address").waitFor();
	ignorePageError('status of 400');
	await field('Email address').fill('kim@okafor.example');
	await button('Register').click();
	await waitForToast('Kim Okafor is registered');
	const params = { eventId: 'evt_1004' };
	const readLastAttendee = async () =>
		(await eventDataHttp().get<Json[]>('/attendees', { params })).data.at(-1)!;
	expect(await readLastAttendee()).toMatchObject({ firstName: 'Kim', status: 'registered' });

	await button('Check In: Kim Okafor').click();
	await button('Undo: Kim Okafor').waitFor();
	expect(await readLastAttendee()).toMatchObject({ checkInTime: expect.any(String) });
	await button('Kim Okafor').click();
	await field('Status').selectOption('confirmed');
	await button('Save Changes').click();
	await waitForToast('Saved');
	await button('Confirm').click();
	await waitForToast('The registration is confirmed');
	expect(await readLastAttendee()).toMatchObject({ status: 'confirmed' });
	const { data: allRegistrations } = await eventDataHttp().get<Json[]>('/registrations', {
		params,
	});
	expect(allRegistrations.at(-1)).toMatchObject({ status: 'confirmed' });
	await button('Close').click();

	await tab('Program').click();
	await button('Add Session').click();
	await field('Title').fill('Late addition');
	await field('Starts').fill('2030-05-17T09:00');
	await field('Ends').fill('2030-05-17T10:00');
	await sheetButton('Add Session').click();
	await waitForToast('The session was added');
	const { data: sessions } = await eventDataHttp().get<Json[]>('/sessions', { params });
	expect(sessions.at(-1)).toMatchObject({ title: 'Late addition' });
});

it('the desk shows a change by a workflow at once, and names its source', async () => {
	await chooseEvent(simpleEventId);
	await page().getByText('The newest 50 of').waitFor();
	const person = { FirstName: 'Đức', LastName: '<b>Dour</b>', Email: 'duc@dour.example' };
	const { data: registration } = await registrationHttp().post<Json>(
		`/events/${simpleEventId}/registrations`,
		person,
	);
	await row('Đức <b>Dour</b>').waitFor();
	await page().locator('#announcer', { hasText: 'was registered' }).waitFor({ state: 'attached' });
	await page().locator('#badge-activity', { hasText: '1' }).waitFor();

	// An open sheet shows changes, but does not change the field in which the user is typing.
	await button('Đức <b>Dour</b>').click();
	await field('Job title').fill('Typing');
	const path = `/events/${simpleEventId}/registrations/${String(registration.RegistrationId)}`;
	await registrationHttp().patch(path, { MobilePhone: '+15550100' });
	await page().waitForFunction(
		() => document.querySelector<HTMLInputElement>('[name=MobilePhone]')?.value === '+15550100',
	);
	expect(await field('Job title').inputValue()).toBe('Typing');
	await page().keyboard.press('Escape');

	await tab('Activity').click();
	const rows = page().locator('#activity article');
	expect(await rows.first().innerText()).toMatch(/was changed[\s\S]*Workflow/);
	expect(await page().locator('#badge-activity').isVisible()).toBe(false);
});

it('the desk removes people who no longer exist after a reset of the sandbox', async () => {
	await chooseEvent(simpleEventId);
	await registerKim();
	await button('Kim Okafor').click();
	await page().getByRole('dialog', { name: 'Kim Okafor' }).waitFor();
	sandbox().reset();
	await page().getByRole('dialog').waitFor({ state: 'hidden' });
	await row('Kim Okafor').waitFor({ state: 'detached' });
	ignorePageError('status of 404');
});

it('the desk shows changes that were made while the browser was offline', async () => {
	await chooseEvent(simpleEventId);
	await page().getByText('The newest 50 of').waitFor();
	await page().context().setOffline(true);
	sandbox().control('eventRegistration', 'register', {
		eventId: simpleEventId,
		FirstName: 'Quiet',
		LastName: 'Arrival',
		Email: 'quiet@arrival.example',
	});
	await page().context().setOffline(false);
	sandbox().world.desk.refresh();
	await row('Quiet Arrival').waitFor();
	ignorePageError('ERR_INTERNET_DISCONNECTED');
});

it('the desk finds people by names without accents, and shows the chosen event after a reload', async () => {
	await chooseEvent(simpleEventId);
	await page().getByText('The newest 50 of').waitFor();
	sandbox().control('eventRegistration', 'register', {
		eventId: simpleEventId,
		FirstName: 'Zoë',
		LastName: 'Škvorecký',
		Email: 'zoe@example.com',
	});
	await page().getByLabel('Search people').fill('skvorecky zoe');
	await page().getByText('1 of 401 found').waitFor();
	expect(await page().locator('#people article').count()).toBe(1);
	await page().getByLabel('Search people').fill('nobody at all');
	await page().getByText('No one by that name.').waitFor();
	await open();
	expect(await page().getByLabel('Event', { exact: true }).inputValue()).toBe(
		String(simpleEventId),
	);
});

it('the desk can be used with the keyboard alone', async () => {
	await chooseEvent(simpleEventId);
	await registerKim();
	const readFocusedLabel = () =>
		page().evaluate(() => document.activeElement?.getAttribute('aria-label'));
	await button('Check In: Kim Okafor').focus();
	await page().keyboard.press('Enter');
	await button('Check Out: Kim Okafor').waitFor();
	await page().waitForFunction(
		() => document.activeElement?.getAttribute('aria-label') === 'Check Out: Kim Okafor',
	);
	// Another person's arrival does not move the focus.
	sandbox().control('eventRegistration', 'register', {
		eventId: simpleEventId,
		FirstName: 'Another',
		LastName: 'One',
		Email: 'one@example.com',
	});
	await row('Another One').waitFor();
	expect(await readFocusedLabel()).toBe('Check Out: Kim Okafor');

	await button('Kim Okafor').focus();
	await page().keyboard.press('Enter');
	await page().getByRole('dialog', { name: 'Kim Okafor' }).waitFor();
	await page().keyboard.press('Escape');
	await page().getByRole('dialog').waitFor({ state: 'hidden' });
	expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Kim Okafor');

	await page().getByRole('radio', { name: 'Event Registration' }).focus();
	await page().keyboard.press('ArrowRight');
	await page().locator('#event-id', { hasText: 'evt_' }).waitFor({ state: 'attached' });
	await tab('Program').focus();
	// This service has no contacts, so the arrow key skips their tab.
	await page().keyboard.press('ArrowRight');
	expect(await tab('Activity').getAttribute('aria-selected')).toBe('true');
	await page().keyboard.press('ArrowRight');
	expect(await tab('People').getAttribute('aria-selected')).toBe('true');
	const outline = await tab('People').evaluate((element) => getComputedStyle(element).outlineStyle);
	expect(outline).toBe('solid');
});

it.each([320, 390, 1280])('the desk needs no sideways scrolling at %d pixels', async (width) => {
	await page().setViewportSize({ width, height: 860 });
	const longValues = {
		FirstName: 'W'.repeat(120),
		LastName: 'X'.repeat(80),
		Email: `${'y'.repeat(60)}@example.com`,
	};
	await chooseEvent(simpleEventId);
	sandbox().control('eventRegistration', 'register', { eventId: simpleEventId, ...longValues });
	await row('WWWW').waitFor();
	const measureOverflow = () =>
		page().evaluate(() =>
			['html', 'main', '#sheet-body'].map((name) => {
				const element = document.querySelector(name)!;
				return element.scrollWidth - element.clientWidth;
			}),
		);
	expect(await measureOverflow()).toEqual([0, 0, 0]);
	await row('WWWW').locator('.name').click();
	await page().getByRole('heading', { name: 'Visits' }).waitFor();
	await page().locator('summary').first().click();
	expect(await measureOverflow()).toEqual([0, 0, 0]);
	await page().keyboard.press('Escape');
	for (const name of ['Program', 'Contacts', 'Activity']) {
		await tab(name).click();
		expect(await measureOverflow()).toEqual([0, 0, 0]);
	}
});
