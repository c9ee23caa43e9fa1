/**
 * Documents of many kinds, in eight rounds, each labelled before the reader saw it. The first column says what a line is: `+` asks
 * for something, `-` must not be counted, a blank may be either.
 */
export const mixedDocs: Readonly<Record<string, string>> = {
  'request for a booking site of a hostel': `
-# Relaunch of our web site
 
-Hostel Seeblick, contact: Frida Aas, frida@example.org
 
-## About us
-We run a hostel with 48 beds. Most guests are cyclists and stay for one night. Since 2019 the site has
-been built with a kit, which nobody here can change any more. You should visit us to get a feeling.
 
-## What we expect
+The new site is available in German, English and French. It works on a phone with a slow connection.
+Guests see at once whether beds are free for their dates.
+Booking takes place on the site itself, without a redirect to a portal.
-We lose 15 % of each booking to the portals today.
 
+- Photos open in a large view
+- Prices include the tourist tax
+- For groups of more than ten there is a contact form instead of the booking
-- The texts come from us
 
-## Design
+Warm colours, plenty of space, no carousel. The logo stays as it is.
-We like the site of the Alpine Club, but theirs has too many menus.
 
-## Offer
-Please send your offer until 15 March. It should contain a price for the maintenance. We decide within
-two weeks. Agencies that have worked for hostels are preferred.
`,
  'feature thread of a podcast player': `
-# Sleep timer should be smarter
 
-**janek** opened this on 2 May
 
-I fall asleep to podcasts almost every day. The timer stops in the middle of a word and I have to find
-the place again in the morning.
 
-What I'd like:
 
+1. fade out the volume during the last 30 seconds
+2. after the stop, the position goes back to the start of the fade
+3. shaking the phone adds five minutes
-
-Overcast has something like this. I tried to do it with shortcuts, but it needs three apps.
 
----
 
-**mirabel** (maintainer)
 
-Nice idea. We should look at the battery first, the sensor is expensive.
+The shake detection must be off by default. And please reuse \`AudioFader\`, don't add a second one.
 
-**janek**
 
-Makes sense! I could test it on my old phone.
 
-**mirabel**
 
+Settled then. One more thing: the remaining time has to show up in the lock screen.
-Who wants to take it? PRs need a signed CLA.
`,
  'specification of a thermostat': `
-THERMOSTAT T-20, FUNCTIONAL SPECIFICATION
 
-Document number 4711-02, approved by Engineering
 
-1 Scope
 
-This specification applies to the wall unit. The boiler interface is specified in 4711-03.
 
-2 Operation
 
+2.1 The unit measures the room temperature every 30 s.
+2.2 The set point is adjustable between 5 °C and 30 °C in steps of 0.5 °C.
+2.3 If the sensor fails, the display shows E1 and heating is switched off.
+2.4 The child lock is activated by holding both buttons for 3 s. It shall survive a change of batteries.
 
-3 Power
 
+3.1 Two AA cells last for at least 18 months.
+3.2 At less than 2.2 V a battery symbol blinks.
-The predecessor reached 11 months, which caused most of the returns.
 
-4 Environment
 
+4.1 Operating temperature 0 to 45 °C.
+4.2 The housing withstands a drop from 1 m.
 
-5 Abbreviations
 
-E1  sensor error
-AA  battery size, must be bought separately
`,
  'minutes of a product meeting': `
-# Minutes, 4 September
 
-Present: Ada, Bo, Cleo. Excused: Dan (has to renew his passport).
 
-## 1. Review of the beta
 
-Bo reports that 140 people installed the beta. Half of them never opened the statistics page. Cleo
-thinks we must have hidden it too well.
 
-## 2. Statistics page
 
-Long discussion. Ada wanted a separate tab, Bo a card on the home screen.
 
-We agreed:
+- the card goes to the home screen, below the greeting
+- it shows the current week only
+- tapping it opens the full page
-- Dan is told by Cleo
 
-## 3. Export
 
-Customers ask for Excel. Cleo says that CSV is enough for now.
+Decision: export as CSV with a semicolon, all columns, dates in ISO format.
-Excel may come next year.
 
-## 4. Next steps
 
-Bo invites for the retrospective. Everybody should bring one idea. We need a bigger room.
`,
  'README of a library to be written': `
-# retryable
 
-[![npm](https://example.org/npm.svg)](https://example.org/npm)
 
-A tiny library to call flaky functions again. This README comes first, the code follows it.
 
-## Motivation
 
-Every service in our company has its own retry loop, and each one has another bug. One of them must
-have run for nine hours.
 
-## API
 
+\`retry(fn, options)\` calls \`fn\` until it resolves or the attempts are used up.
 
-| option | default | meaning |
-|---|---|---|
+| \`attempts\` | 3 | how often \`fn\` is called at most |
+| \`delay\` | 100 | milliseconds before the second call; doubles each time |
 | \`signal\` | | an \`AbortSignal\` |
 
+The promise rejects with the last error. An abort rejects at once and clears the timer.
+When \`attempts\` is less than 1, a \`RangeError\` is thrown before \`fn\` is called.
 
-## Guarantees
 
+- no dependencies
+- works in browsers and in Node 20
+- less than 1 kB compressed
+- timers never keep the process alive
 
-## Non-guarantees
 
-- fairness between callers
-- exact timing
 
-## Example
 
-\`\`\`ts
-await retry(() => fetch(url), { attempts: 5 });
-\`\`\`
 
-If you want to help, you should read CONTRIBUTING.md first. All commits must be signed.
`,
  'accessibility ticket': `
-A11Y-31 Date field cannot be used with a screen reader
 
-Reported by: Hanna (uses NVDA). Severity: high
 
-Hanna could not book an appointment. The calendar opens, but nothing is announced, and she had to call
-the hotline.
 
-Steps
-1. Tab to the date field
-2. Press Enter
-3. Use the arrow keys
 
-Expected
+Each day is announced with weekday and date. Days without free slots are announced as unavailable.
+Escape closes the calendar and the focus goes back to the field.
 
-Actual
-Silence.
 
-Also noticed
+The month buttons need names. Their contrast is 2.1:1, it has to be at least 3:1.
 
-Please test with NVDA and VoiceOver before closing the ticket. Hanna would be happy to help.
`,
  'brief for a magazine article': `
-**Brief: how bees find their way home**
 
-Author: open · Editor: Mo · Length: see below · Fee: as agreed
 
-Readers of our magazine are curious, between 10 and 14 years old, and they have no patience. They
-should want to go outside after reading.
 
-The article
+- explains the waggle dance with a comparison from everyday life
+- quotes at least one researcher
+- is 600 to 750 words long
+- ends with an experiment that children can do without adults
+- uses no Latin names
 
+Sentences have 15 words on average. Start with a scene, not with a definition. We'd prefer present tense.
 
+A box of about 80 words with three surprising numbers is part of it.
 
-Bees were on our cover in 2021 already, so the old article must not be repeated... the archive has it.
 
-Schedule: first version on 3 May, corrections until 10 May. Photos are ordered by the picture desk.
`,
  'contract annex on service quality': `
-# Annex B: Service quality
 
-## B.1 Definitions
 
-"Downtime" is time in which the service cannot be reached by at least half of the users. "Month" means a
-calendar month.
 
-## B.2 Availability
 
+The provider ensures an availability of 99.8 % per month. Announced maintenance does not count, up to four hours.
 
-## B.3 Support
 
-| Class | Example | Reaction | Repair |
-|---|---|---|---|
+| A | nobody can log in | 30 minutes | 4 hours |
+| B | reports are wrong | 4 hours | 2 days |
+| C | typing errors | 2 days | next release |
 
+Incidents of class A are handled around the clock.
 
-## B.4 Data
 
+Backups are taken every six hours and kept for 30 days. A restore is tested twice a year.
+Data leaves the European Union under no circumstances.
 
-## B.5 Payment
 
-The customer pays quarterly in advance. If the provider misses B.2, the customer may reduce the next
-payment by 5 %.
 
-## B.6 History of this annex
-- 2024: availability had to be 99.5 %
`,
  'tasks for a data pipeline': `
-## Ingest of meter readings
 
-Today a colleague copies the files by hand every Monday. When she is ill, nobody does it.
 
-### Goal
 
-Readings of the day are in the warehouse before the planners start at 7:00.
 
-### Work packages
 
+- [ ] Poll the SFTP server every 10 minutes
+- [ ] Validate each file against \`meter.xsd\`
+  - broken files are moved to \`rejected/\` together with a reason
+- [ ] Load valid rows; a reading that arrives twice is stored once
+- [ ] Alert the channel #meters if no file came for two hours
 
-### Quality
 
+Loading a file of 2 million rows takes less than five minutes. Personal data is masked in all logs.
 
-### Notes
 
-- the SFTP password is in the vault, ask Piotr
-- the utility changes its format in autumn, we might have to adapt
-- XML was chosen by them, we would have preferred Parquet
 
-### Done means
 
+- the pipeline ran for one week without manual work
+- a runbook describes how to load a day again
`,
  'homework in a database course': `
-Exercise sheet 6
 
-Databases I, summer term. Hand in by Monday noon, in groups of three.
 
-Exercise 1 (4 points)
 
-The file flights.sql contains flights of one year. A flight has an origin and a destination.
 
+a) Write a query that lists the ten airports with the most departures.
+b) Change it so that airports without departures appear with 0.
+c) Explain in two sentences why an index on origin helps.
 
-Exercise 2 (6 points)
 
+Create a view delays with the columns carrier, month and average_delay. Months without flights are left out.
+The view must run in under one second on the lab machine. Do not use temporary tables.
 
-Hints: EXPLAIN is useful here. The lab machine should not be used for games.
 
-Bonus (2 points)
 
+Draw the average delay per month as a chart.
 
-Questions go to the tutors. Solutions that are copied get no points.
`,
  'Slack thread about an invoice template': `
-Lena 9:02
-hi all, the auditor was here yesterday. it went ok but she found some things in our invoices
 
-Lena 9:03
+- the tax number is missing, it must be on every page
+- net and gross amounts should be in separate columns
+- the date of delivery has to be printed even if it equals the invoice date
 
-Omar 9:10
-ugh, that must have been there for years
 
-Omar 9:11
+can we also move the bank details to the footer? customers never find them
 
-Lena 9:15
+yes please. and no more logos in colour, the printer at the office is black and white
 
-Omar 9:16
-ok. I need to look at the template engine, last time it took me two days
-who has the credentials?
 
-Lena 9:20
-Tim. he should be back tomorrow
`,
  'game design note': `
-# Lantern Lake
 
-*Working title. One level, playable in ten minutes, made for the summer jam.*
 
-## Idea
 
-A paper boat carries a light across a dark lake. The mood is calm; nobody dies.
 
-## Controls
 
+Left and right steer, holding space makes the light brighter. A gamepad works as well.
 
-## Rules of the world
 
+* Light burns down over 90 seconds; fireflies refill it.
+* Fog hides everything outside of the light.
+* When the light goes out, the boat returns to the last pier.
+* Frogs follow the light but never block the boat.
 
-## Sound
 
+Rain and a single piano. Music gets quieter in the fog. Volume can be changed in the menu.
 
-## References
 
-Limbo, Journey, the lake near my grandmother's house.
 
-## Stretch
 
+* a second lake with a waterfall
+* photo mode
 
-## Team
 
-* Yuki: code, has to leave on Sunday at noon
-* Sol: art and sound
`,
  'security review findings': `
-# Findings of the security review
 
-Reviewed: commit 8c1f, between 3 and 7 June, by two people. The team was helpful.
 
-## F1: session cookies (high)
 
-Cookies are sent without the \`Secure\` flag. An attacker in the same network can read them.
 
+Remedy: set \`Secure\`, \`HttpOnly\` and \`SameSite=Lax\`.
 
-## F2: password reset (high)
 
-The token never expires and may be guessed, since it is a counter.
 
+Remedy: use a random token of 128 bits that expires after one hour. A token is valid once.
 
-## F3: verbose errors (low)
 
-Stack traces are shown to visitors.
 
+Remedy: show a generic page. Details should go to the log only.
 
-## General remarks
 
-Dependencies are up to date. Developers should be trained once a year. The next review is due in 2027.
`,
  'tender for a museum guide': `
-# Tender: audio guide for the town museum
 
-## 1. Occasion
-The museum reopens in May. The devices of 2008 are broken, and spare parts cannot be bought any more.
 
-## 2. Services
-The contractor develops and delivers an app for visitors.
 
-### 2.1 Content
+The app offers a tour of 45 minutes and one of 90 minutes. Each station has a text of at most two
-minutes, a picture, and a transcript.
+Children choose a tour of their own, told by a mouse.
 
-### 2.2 Technology
+It runs on Android 11 and iOS 16 or newer.
+Content is loaded at the entrance and is then available offline.
+No registration is required, and no usage data leaves the phone.
 
-### 2.3 Editing
+Staff can change texts and pictures themselves. Changes are published without a new version of the app.
 
-## 3. Optional services
+- A version in sign language
+- Loan devices with a charging station
 
-## 4. Participation
-Bidders must prove three similar projects. Offers must be sent in a closed envelope. The price counts for
-40 %, quality for 60 %. Questions should be asked before 1 February.
`,
  'bug in a calculator of delivery costs': `
-### Delivery costs are wrong for islands
 
-**What happens**
-A customer in Sylt is charged 4.90. It should have been 12.90, as in the price list.
 
-**How often**
-About three times a week. Support has to refund the difference... or rather to ask for it, which nobody does.
 
-**Where it comes from**
-\`zones.ts\` compares postal codes as numbers. Leading zeros get lost.
 
-**What to do**
+Compare postal codes as strings. The list of islands lives in \`islands.json\`, one code per line.
+Orders that are already placed keep their costs.
+Cover codes with a leading zero by a test.
 
-**Not part of this**
-Packing stations on islands, they need to be discussed with the carrier.
`,
  'user manual driven specification': `
-# Field notes app: how it will work
 
-This text is written as if the app existed. Developers may take it literally.
 
-## Starting
 
+When you open the app, you see the list of your notes, newest first. Notes without a title show their first line.
 
-## Writing
 
+Tap the plus sign to write a note. The keyboard opens by itself. A note is saved after each word.
+Up to nine photos can be attached.
 
-## Finding
 
+Pull down to search. The search looks at titles, texts and names of places. Hits are marked in yellow.
 
-## Sharing
 
+A note is shared as PDF. Photos are scaled down to 1600 pixels before they are sent.
 
-## What the app does not do
 
-It has no folders and no account.
 
-## Open
 
-Do notes need tags? Maya wants to ask five users.
`,
  'engineering proposal with drivers': `
-# Proposal 31: one log format
 
-Status: accepted on 9 October after two rounds
 
-## Drivers
 
-Searching an incident takes hours, because each service logs as it likes. In August we needed six
-people to find one request.
 
-## Proposal
 
-All services write logs in the same format.
 
+* One line is one JSON object.
+* The keys \`time\`, \`level\`, \`service\` and \`message\` are always there.
+* Times are in UTC with milliseconds.
+* Every line that belongs to a request carries its \`trace\`.
+* Free text never contains e-mail addresses.
+* Services should use the shared logger; exceptions are documented in their README.
 
-## Alternatives
 
-logfmt is easier to read but cannot nest. OpenTelemetry would require agents on every host.
 
-## Migration
 
-Team by team, starting with checkout. Old dashboards must be kept until then. Ops will help.
 
-## Cost
 
-About two days for each service.
`,
  'checklist of a newsletter': `
-Newsletter autumn, checklist
 
-Who: Ines writes, Paul checks, goes out on Thursday
 
-Text
+[ ] subject line has less than 50 characters
+[ ] no more than five articles
+[ ] every article has a link to the shop
+[ ] address the reader as "you", not "customers"
 
-Pictures
+[ ] each picture below 200 kB
+[ ] alt text for every picture
 
-Law
+[ ] link to unsubscribe in the footer
+[ ] imprint complete
 
-Remember: last time the prices were wrong and we had to send a second mail. Paul is on holiday from
-Friday, so he should see it on Wednesday.
`,
  'story map of a parking app': `
-# Parking app, release 1
 
-## Find a place
+As a driver, I want to see free places near me so that I don't drive in circles.
+The map shows free places within 500 m
+Places for disabled persons have an icon of their own
+If there is no connection, the last known state is shown with its age
 
-## Pay
+As a driver, I want to pay without coins.
 
+- Payment starts with one tap
+- A reminder comes ten minutes before the end
+- Extending is possible from the reminder
+- Fees of the city council apply, they are loaded at night
 
-## Later releases
-- Subscriptions
-- Charging stations must be bookable
 
-## Facts
-- The city has 2,300 places
-- Sensors send every 30 seconds
`,
  'coding prompt for an agent': `
-You are working in the repository \`pantry\`. It is a Flask app with SQLite.
 
+Add an endpoint \`GET /expiring\` that returns the items whose date is within the next seven days.
 
-Details:
+- sort by date, oldest first
+- the query parameter \`days\` changes the window; anything but 1 to 60 gives 400
+- items without a date are not returned
+- reuse \`ItemSchema\`
 
+Existing tests must stay green. New code is covered by tests in \`tests/test_expiring.py\`.
 
-Before you start, read \`docs/style.md\`. If something is unclear, ask. When you are done, summarise what
-you changed in three sentences.
 
-Background: users throw food away because they forget it. The old page for this was removed in May
-because it was slow; it loaded every item.
`,
  'SEO and content request': `
-Subject: landing page for "bike insurance"
 
-Hi team,
 
-marketing needs a landing page until the end of the month. Search volume is 8,000 a month, and
-competitors should be beatable.
 
+The title is "Bike insurance from 3 euros a month". The description has 120 to 155 characters.
+There is exactly one h1. Questions and answers are marked up as FAQ.
+Please link to it from the home page and from the blog.
+The form asks for name, mail address and value of the bike, nothing else.
+A click on "Calculate" shows the price without a new page.
 
+It would help if the page loaded in less than two seconds.
 
-I'm on vacation next week. Tariffs: ask Jules. She needs to approve the text anyway.
 
-Cheers, Kit
`,
  'ADR about images': `
-# 0021 Serve images from our own domain
 
-Deciders: Nora, Emil
-Date: 2026-02-20
 
-## Context and problem
 
-Images come from a third party. They see the addresses of our readers, which the data protection
-officer says must stop.
 
-## Considered options
 
-1. A proxy in front of the third party
-2. Copy all images into our storage
-3. Leave it, and ask readers for consent
 
-## Decision outcome
 
-Option 2, since a proxy has to be monitored.
 
+- Images are copied when an article is published.
+- Copies get a name that contains their hash.
+- Originals larger than 4000 px are refused.
+- Old articles are converted by a job that can be stopped and continued.
+- Widths of 400, 800 and 1600 px are generated as WebP.
 
-### Positive consequences
 
-- No requests to others
-- Faster pages
 
-### Negative consequences
 
-- 300 GB of storage
-- Somebody needs to watch the job
`,
  'rules for a room display': `
-Room display: rules
 
+1. Green means free, red means taken. Yellow is shown ten minutes before the next meeting.
+2. Meetings can be ended early at the display.
+3. If nobody confirms within ten minutes, the room is released.
+4. Titles of private meetings are hidden.
+5. The display dims between 20:00 and 6:00.
 
-Why not a commercial one? They cost 900 euros each and require a subscription.
 
-Hardware: tablets from the old warehouse project, 14 pieces, they must be charged first.
`,
  'research task for a writer': `
-# Task: report on heat islands
 
-Client: city planning office
 
-Write a report on heat islands in the inner city.
 
-## Questions to answer
 
+1. Which quarters are warmer than the average, and by how much?
+2. What do other cities do about it?
+3. Which measures work within two years?
 
-## Form
 
+- 8 to 10 pages, without appendix
+- a summary of one page for politicians
+- sources as footnotes, at least twelve, none older than 2015
+- maps instead of tables where possible
+- plain language
 
-## Process
 
-Interviews are arranged by the office. A draft is discussed in week 30. The author gets access to the
-measurements, which must be treated as confidential.
`,
  'API error policy': `
-# Errors in our public API
 
-Version 3 of this page. It replaces the section in the handbook.
 
-## Why this page exists
-Partners complained that every endpoint fails in its own way.
 
-## Format
+Errors are returned as \`application/problem+json\`. \`title\` is in English; \`detail\` may be translated.
+A \`type\` never changes once it has been published.
 
-## Codes
 
-| status | when | body |
-|---|---|---|
+| 400 | the request cannot be parsed | position of the error |
+| 409 | the version is outdated | the current version |
+| 429 | more than 100 requests a minute | seconds to wait |
 
-## Don'ts
 
+- no HTML
+- no internal names
+- 500 for mistakes of the caller
 
-## Questions
-Ask in #api. Somebody of the guild should answer within a day.
`,
  'RFP for a volunteer scheduler': `
-# Request for proposal: volunteer scheduler
 
-The Riverside Food Bank coordinates about 300 volunteers. Shifts are planned in a spreadsheet that
-only Teresa understands. Last winter eleven shifts had nobody.
 
-## What the system has to do
 
-### Shifts
+Coordinators create shifts with a place, a time and the number of people needed.
+A shift that is full no longer appears in the public list.
+When someone cancels less than 24 hours before the start, everyone on the waiting list gets a text message.
 
-### Volunteers
+- Volunteers sign up with a phone number, no password needed
+- They can see their own shifts for the next four weeks
+- A volunteer under 16 is only offered shifts marked as suitable
 
-### Reports
+Hours per volunteer and month can be downloaded as CSV.
+It'd be good to have a printable thank-you certificate.
 
-## Constraints
-We have no budget for hardware.
+Hosting costs stay below 40 dollars a month. The data of volunteers must not be shared with sponsors.
 
-## How to respond
-Proposals are due on 30 April. Please include references and an hourly rate. We may ask you to present
-your proposal by video call.
`,
  'ticket to speed up a dashboard': `
-PERF-208 Dashboard takes forever
 
-Type: Improvement
-Reporter: Olu
-Fix version: 5.2
 
-Customers with more than 50 projects wait about 14 seconds for the dashboard. Support got 23
-complaints in May. The profile shows that the widget "Recent activity" sends one request per project.
 
-Proposed change:
 
+- fetch the activity of all projects in one request
+- render the other widgets without waiting for it
+- show a skeleton while it loads
 
-Acceptance:
+- with 200 projects the dashboard is usable after 2 seconds on the reference laptop
+- no more than 5 requests in total
+- the order of the activities is the same as before
 
-Not in this ticket: caching on the server, see PERF-190.
 
-Comment by Priyanka, 3 June: I think the skeleton could be reused from the inbox. We should measure
-again after the release, there might be other slow widgets.
`,
  'style guide for error messages': `
-# Writing error messages
 
-A guide for everybody who writes texts for Pilot.
 
-## Why it matters
-An error is a bad moment. Users who understand what happened try again, others call us.
 
-## Structure
+Every message says what happened, why, and what to do next.
+The first sentence has at most ten words.
 
-## Tone
+- Don't blame the user
+- Avoid "please" and exclamation marks
+- Numbers are written as digits
 
-## Examples
-| Bad | Good |
-|---|---|
-| Invalid input! | Enter a date after today. |
-| Something must have gone wrong | The file is larger than 5 MB. Choose a smaller one. |
 
-## Technical
+Codes come at the end, in parentheses. Messages live in \`messages.yaml\`, never in the code.
+A message without a translation is shown in English.
 
-## Feedback
-Ping Ramona if you disagree with a rule.
`,
  'protocol of a firmware update': `
-# Over-the-air update, protocol
 
-Revision C. Changes since B: chapter 4.
 
-## 1 Roles
-The device is the lamp. The hub is the box in the living room. The server belongs to us.
 
-## 2 Sequence
 
+1. The device asks the hub for a new version once a day, at a random time.
+2. The hub answers with version, size and SHA-256 of the image.
+3. The device downloads the image in blocks of 1 kB.
+4. After the last block the device verifies the hash and the signature.
+5. The device restarts into the new image.
 
-## 3 Failures
 
+If a block is lost, it is requested again up to five times.
+If verification fails, the image is erased and the old one stays active.
+A device that does not start three times in a row returns to the previous image.
 
-## 4 Security
 
+Images are signed with Ed25519. The private key never leaves the signing machine.
+Downgrades SHALL be rejected unless the hub presents a rollback token.
 
-## 5 Rationale
-SHA-256 is available in hardware. Blocks of 1 kB fit into the RAM of the oldest lamp, which must be
-supported until 2029.
`,
  'kickoff mail for a brochure': `
-From: Anneli
-To: studio
-Subject: brochure
 
-Hello you two,
 
-great to have you on board! Here is what we talked about on the phone.
 
+The brochure has eight pages in A5, landscape. On the cover there is only the lake and our name, no slogan.
+Inside we want three short portraits: the baker, the ferryman, the girl with the goats.
+Each portrait gets one page of photo and one page of text.
 
+The map on the last page needs the new bike path. Please use the font of our signs.
+What we do not want: stock photos, QR codes.
 
-I asked the ferryman, he is looking forward to it. He must be back by noon on weekdays though.
-The old brochure had 24 pages and nobody read it.
 
+If there's room, a small crossword for children would be sweet.
 
-Printing is done by Kaspar, he needs the files in the second week of June.
 
-All the best
-Anneli
`,
  'pull request description that asks for a follow-up': `
-## Summary
-This PR moves the price calculation into its own module. Nothing changes for users.
 
-## Follow-up work
 
+- [ ] Replace floats by cents everywhere in \`pricing/\`
+- [ ] Delete \`legacyPrice()\` once the app no longer calls it
 
-## Review notes
-Start with \`pricing/index.ts\`. The diff of \`cart.ts\` looks scary but is only indentation. Sasha
-should have a look at the tax part.
 
-## Checklist
-- [x] I have run the tests
 - [x] Docs are updated
`,
  'functional concept of a kiosk': `
-Functional concept: ticket kiosk
 
-Version 1.2 / Author: M. Okafor / Distribution: project team only
 
-1. Initial situation
 
-At four stations tickets are sold at a counter. Queues of twenty minutes are normal in summer.
 
-2. Functions
 
-2.1 Sale
 
+The kiosk sells single tickets, day tickets and ten-ride cards.
+Payment is by card or phone; cash is not accepted.
+After 60 seconds without input the kiosk returns to the start screen.
 
-2.2 Languages
 
+The language is chosen on the first screen with flags. German is preselected.
 
-2.3 Maintenance
 
+A technician logs in with a badge. Paper jams and low paper are reported to the control room within a minute.
 
-3. Boundaries
 
-Season tickets are sold online only. Refunds remain a task of the counter.
 
-4. Open items
 
-Who pays for the network connection? The fire department has to approve the location.
`,
  'bootcamp capstone': `
-# Capstone: Recipe box
 
-Welcome to the last project! You have learned a lot in the past twelve weeks, and now you should enjoy
-it. You will work in teams of two for five days.
 
-## The product
 
-Recipe box stores the recipes of a household.
 
-## Minimum
 
+* Sign up, log in, log out
+* Create, edit and delete own recipes
+* Search by ingredient
+* At least ten unit tests and one end-to-end test
 
-## Make it shine
 
+* Upload a photo
+* Convert amounts for another number of persons
+* Dark mode
 
-## Technical guardrails
 
+React on the client, Express on the server, PostgreSQL for data. No CSS frameworks.
+Passwords are hashed with argon2.
 
-## Daily routine
 
-Stand-up is at 9:15. Everybody says what they did. Cameras should be on.
 
-## Demo day
 
-Each team has ten minutes. You must not read from slides.
`,
  'config schema notes': `
-# Configuration of the crawler
 
-The crawler reads \`crawler.yml\` when it starts.
 
-## Keys
 
-| key | type | required | rule |
-|---|---|---|---|
+| seeds | list of URLs | yes | at least one, only http and https |
+| depth | integer | no | 0 to 10, default 3 |
+| agent | string | no | must contain a contact address |
 
-## Reading
+Unknown keys are an error that names the key and its line.
+Environment variables override the file. Secrets are only read from the environment.
 
-## Reloading
+On SIGHUP the file is read again. If the new file is invalid, the old configuration stays in use and the error is logged.
 
-## Notes
-- YAML was chosen because comments are needed
-- TOML support may follow
`,
  'retro with improvements': `
-# Retrospective sprint 41
 
-## Went well
-- Release on time
-- Pairing with the design team
 
-## Went badly
-- Two hotfixes because nobody had tested Safari
-- The staging database must have been copied wrong
 
-## Actions
+- [ ] Add Safari to the browser matrix
+- [ ] Script that copies and masks the staging database
 
-## Kudos
-To Ewa for the night shift. She should get a medal.
`,
  'feature brief of a bank app': `
-# Feature brief: round-up savings
 
-| Author | Squad | Last update |
-|---|---|---|
-| T. Brandvold | Habit | 2 Sept |
 
-## Summary
-Customers save without thinking about it. Each card payment is rounded up, the difference goes to a pot.
 
-## Customer problem
-58 % of customers under 30 have no savings. In interviews they told us that saving feels like a punishment.
 
-## How it works
 
+1. A customer turns on round-ups in the settings of a pot.
+2. Every card payment is rounded up to the next full euro.
+3. The differences of a day are booked once, at midnight.
+4. If the balance would fall below zero, nothing is booked.
 
+Refunds do not change what was saved. Payments in other currencies are converted first.
 
-## Guardrails
+- A customer never saves more than 10 euros a day this way
+- Turning it off takes effect at once
+- Business accounts are not offered this feature
 
-## What we measure
-- Share of customers who turn it on within 30 days
-- Money saved per customer and month
 
-## Rollout
-5 % of customers in October, everybody in November if the support is not overwhelmed.
 
-## Later
-- Multiplying round-ups by two or five
`,
  'defect report of a printer driver': `
-# Duplex printing upside down
 
-Product: LaserJet driver 3.4 for Linux
-Found by: QA, Marek
-Priority: P2
 
-## Observed
-When a landscape document is printed on both sides, the back is upside down. Portrait is fine. It has
-been like this since 3.2.
 
-## Reproduction
-1. Open landscape.pdf
-2. Choose two-sided, long edge
-3. Print
 
-## Expected
+The back has the same orientation as the front for both binding edges.
 
-## Requested fix
+- Take the orientation of the page into account when the back is rotated
+- The test page prints an arrow on each side
+- Keep the old behaviour for PCL 5 printers
 
-## Remarks
-Marek has a LaserJet in his office. Windows should not be affected.
`,
  'essay assignment': `
-# History 9b: essay on the printing press
 
-Mrs. Calloway, room 114
 
-You have three weeks for this essay. Talk to me early if you get stuck. I am happy to read drafts.
 
-## Your essay
 
+Discuss how the printing press changed one European city of your choice.
+Your essay has a clear thesis in the first paragraph and at least three arguments.
+Use two primary sources. Wikipedia may not be cited.
+Quotations are marked and have a page number.
 
-## Format
 
+- 1,200 to 1,500 words
+- 12 pt, double spaced
+- a bibliography in Chicago style
+- title page with name and date
 
-## Dates
-- Topic: 4 October
-- Draft: 11 October
-- Final version: 25 October, in class
 
-## How I grade
-| Criterion | Weight |
-|---|---|
-| Thesis and argument | 40 % |
-| Sources | 30 % |
-| Language | 30 % |
`,
  'operations runbook to be automated': `
-# Automate the certificate renewal
 
-## Current procedure
-Every 80 days somebody of the platform team logs in to the jump host, runs certbot and copies the files
-to six machines. Twice we forgot it. It must have cost us a day each time.
 
-## Target
 
+A job renews each certificate 30 days before it expires, without a person.
+The new certificate is rolled out to all machines listed in \`inventory.yml\`.
+Services reload without dropping connections.
+After the rollout the job checks the date of the certificate on each machine.
+If a step fails, the previous certificate stays in place and the on-call engineer is paged.
 
-## Constraints
 
+- private keys do not leave the machine on which they were made
+- runs must be idempotent
+- no more than one machine at a time
 
-## Not covered
 
-Certificates of customers, code signing.
 
-## Contacts
 
-Ask Ifeoma about certbot and Jens about the load balancer. Changes to production need a ticket.
`,
  'voice assistant skill': `
-Skill: "Kitchen timer with names"
 
-Why: in our test kitchen people set three timers and forget which is which.
 
-Must
+* "Set a pasta timer for nine minutes" starts a timer called pasta
+* When a timer ends, the assistant says its name
+* "How long for the eggs?" answers with the remaining time
+* up to eight timers run in parallel
 
-Should
+* names in plural and singular are the same timer
+* "Stop everything" asks before it deletes all timers
 
-Won't
-* timers for other rooms
-* alarms
 
-Test persons: cooks of the canteen. Sessions take place on Fridays.
`,
  'terms for a plugin store': `
-# Review policy for plugins
 
-Last changed on 14 May. The previous version is in the archive.
 
-## Who this is for
-Authors who want to publish in our store, and the people who review them.
 
-## Technical requirements
 
+1.1 A plugin starts within 500 ms.
+1.2 It works without network access, or says clearly that it does not.
+1.3 Plugins do not modify files outside of their own folder.
+1.4 Telemetry is off unless the user turns it on.
 
-## Listing
 
+2.1 The description is written in English and has at least 80 words.
+2.2 Screenshots show the plugin itself, not a mock-up.
+2.3 Names of other companies must not be used without permission.
 
-## Process
 
-3.1 Reviews take about five working days.
-3.2 You can appeal once by mail.
-3.3 We may remove a plugin that gets complaints.
`,
  'CLI proposal in an issue': `
-### Proposal: \`notes export\`
 
-I keep my notes in this tool and love it. For my taxes I need them as PDF though, and copying them one by
-one is no fun. Is there any interest in a PR?
 
-### Usage
 
-\`\`\`
-notes export --tag tax --format pdf --out tax.pdf
-\`\`\`
 
-### Details
 
+- \`--tag\` can be given several times; a note needs all of them
+- \`--format\` is \`pdf\`, \`html\` or \`md\`, the default is \`md\`
+- without \`--out\` the result goes to standard output, except for PDF, where \`--out\` is required
+- an existing file is not overwritten unless \`--force\` is given
+- exit code 1 if no note matches
 
-### Alternatives
 
-Pandoc works, but one has to write a script.
 
-### Willing to contribute?
 
-- [x] Yes, I could do it in August
`,
  'kitchen display order': `
-Hi Rafael,
 
-sorry for the wall of text, I'm writing between two services.
 
+The display in the kitchen should show open orders as cards, oldest on the left. A card turns orange after
+ten minutes and red after twenty.
+Tapping a dish strikes it through; when all dishes are done the card disappears.
+Allergies have to be in capital letters and on top.
 
-Last Saturday we lost two orders because the tablet went to sleep. Drove me crazy!
+So please keep the screen on while we are open.
 
 Also:
+- bigger letters (I have no glasses in the kitchen)
+- drinks are not shown, the bar has its own printer
+- a bell for new orders, but not louder than the radio
 
-The waiters would like pictures of the dishes but honestly nobody needs that. Maybe next year.
 
-What would it cost and when could you start? My cousin offered to do it for free, but he never finishes
-anything.
 
-Ciao, Bianca
`,
  'design tokens migration': `
-# Epic UI-900: move to design tokens
 
-**Goal**: one place for colours and distances.
-**Out of scope**: dark theme, the marketing site.
-**Stakeholders**: design (Ximena), web, apps
 
-## Context
-There are 74 different greys in the code base. Designers should not have to count them.
 
-## Stories
 
-### UI-901 Token file
+As a developer I want one file with all tokens so that I do not have to search.
 
+- [ ] tokens are generated from the Figma file
+- [ ] names follow \`category-property-variant\`
+- [ ] a token without a description fails the build
 
-### UI-902 Replace greys
 
+As a designer I want only tokens in the code.
 
+- [ ] no hex values in \`src/\` except in the token file
+- [ ] the visual tests show no difference above 0.1 %
 
-## Risks
-- Apps release every two weeks, so a token must not be renamed without notice
-- Figma may change its API
`,
  'spec of a library card import': `
-SPECIFICATION
-Import of library cards
 
-0. Preliminary remark
 
-The old system exports one file per branch. Nobody can change that before the summer of 2027.
 
-1. Source
 
-Files are delivered to a share every night. The file name contains the branch, for example CARDS_07.TXT.
 
-2. Processing
 
+(1) Each line with 112 characters becomes one card. Shorter lines go to the error file.
+(2) A card number that exists already updates the name and the address, not the fees.
+(3) Names are converted from upper case to normal spelling.
+(4) The date of birth may be empty.
+(5) If more than 2 % of the lines are wrong, the whole file is rejected.
 
-3. Log
 
+For each file the log shows the number of new, changed and wrong cards.
+The log is kept for one year and can be read by the branch.
 
-4. Example
 
-4711003MEIER               ANNA
 
-5. Acceptance
 
+The import is accepted when the files of three branches were processed without manual work.
`,
  'product page brief of a tea company': `
-# Brief: product page for the autumn blend
 
-Requested by: Solveig (sales)
-Budget: 3,000 euros
 
-## The tea
-The autumn blend contains apple, cinnamon and rooibos. It sold 4,000 packs last year. Our customers are
-mostly women over 40 who cook a lot.
 
-## The page
 
+At the top a large photo of the cup in the rain, with the name of the tea and the price.
+Below it, three short paragraphs: taste, ingredients, preparation.
+The button "Add to basket" is visible without scrolling on a phone.
+Customer reviews are shown, but only those with text.
+Please mention that the packs are compostable.
 
-## Tone of voice
+Warm, a bit old-fashioned. No superlatives. Address the reader with "you".
 
-## What Solveig said on the phone
-She hates pop-ups. The last agency ignored that and we had to pay twice.
 
-## Practical matters
-Photos are in the shared folder. The page goes live on 15 September. Texts must be approved by Solveig.
`,
  'change request for a hospital pager': `
-CHANGE REQUEST 2231
 
-System: ward pager
-Submitted: 11 Feb by nurse management
-Category: safety
 
-Reason for the change
 
-Night nurses carry two pagers. In January an alarm of bed 12 was noticed after nine minutes because
-both pagers rang at once.
 
-Description of the change
 
+One pager receives the alarms of both wards. Alarms with priority red interrupt all others.
+An alarm that is not confirmed within 30 seconds is forwarded to the next nurse in the list.
+The display shows ward, bed and priority.
+It must be possible to confirm with one hand and with gloves.
 
-Impact on other systems
 
-The alarm server has to be restarted once. The bed management is not affected.
 
-Test
 
-The biomedical department performs the test on ward 3. Two nurses have to be present.
`,
  'spec of a tiny language': `
-# Calc, a language for invoices
 
-Calc is what our accountants type into a cell. This chapter defines what the interpreter accepts.
 
-## Numbers
+A number has digits, an optional comma and at most two decimals. A point is not accepted.
 
-## Operators
+\`+\`, \`-\`, \`*\` and \`/\` work as in school; parentheses are allowed.
+Division by zero yields the text \`#DIV\`.
 
-## Names
+A name begins with a letter. Names are not case sensitive.
+A name that is not defined yields \`#NAME\`.
 
-## Errors
+An error message contains the position, counted from 1.
+The interpreter never throws.
 
-## Design notes
-We looked at Excel and at Lua. Excel has too many functions, Lua is too much for accountants. The comma
-was a wish of the Vienna office.
`,
  'onboarding improvements from user tests': `
-# What we learned from five user tests
 
-Tests took place on 6 and 7 May in Leeds. Participants had never seen the app.
 
-## Observations
 
-- Three of five did not find the search
-- Nobody read the welcome text
-- One participant said that the colours must have been chosen by a colour-blind person
 
-## Recommendations
 
+- Move the search to the top of the home screen
+- Replace the welcome text by one sentence and a picture
+- Skip the tour after the second visit
+- The password rules are shown before typing, not after an error
 
-## Quotes
 
-> "I would have given up here."
 
-> "It should just know where I am."
 
-## Method
 
-Thinking aloud, 40 minutes each. The recordings have to be deleted after 30 days.
`,
  'job description of a batch job': `
-# nightly-prices
 
-Responsible: team Pricing. Runs on: batch-02.
 
-## Purpose
-Shops need new prices before they open. So far somebody uploads a spreadsheet by hand.
 
-## Input
+The job reads all files \`prices-*.csv\` from the bucket \`incoming\`. Files are sorted by name.
 
-## Processing
+* rows with an unknown article number are written to \`unknown.csv\`
+* a price that changes by more than 50 % is held back until a person confirms it
+* prices are rounded to five cents
 
-## Output
+For each shop there is one file with the columns article, price and valid_from.
 
-## Failure
+The job stops at the first unreadable file and leaves the bucket untouched.
+It can be started again at any time.
 
-## Operating hours
+It starts at 02:00 and has to finish by 04:30.
 
-## History
-Written in 2015 in Perl by Gordon, who has retired since. Nobody dares to touch it.
`,
  'conference talk page task': `
-Can you help me with the page for my talk? It's called "Slow software".
 
+It needs the title, my name, an abstract of about 150 words and the slot (Saturday, 14:30, room B).
+Put the slides as PDF at the end.
+Use the colours of the conference, #123456 and #fedcba.
+The page has to work offline because the wifi there is always bad.
 
-I attach the abstract. My photo is terrible, so leave it out. I gave a similar talk in Oslo, where the
-projector broke.
`,
  'interface contract between two teams': `
-# Contract: basket service and checkout
 
-Agreed between both teams on 3 March. Changes need the consent of both.
 
-## Events
 
-| event | sent when | payload |
-|---|---|---|
+| basket.created | a customer adds the first item | basket id, customer id |
+| basket.changed | an item is added, removed or changed | basket id, items |
+| basket.expired | nothing happened for 14 days | basket id |
 
-## Delivery
 
+Events are delivered at least once. Consumers therefore ignore an event whose id they have seen.
+The order of events of one basket is kept.
+If checkout is down for less than a day, no event is lost.
 
-## Versions
 
+New fields may be added at any time. A field is never removed without a new major version.
 
-## People
 
-Basket: Haruto, on call every second week. Checkout: Lin.
 
-## Open
 
-Whether prices should be part of the payload.
`,
  'release notes wishlist': `
-Wishlist for version 8, collected in the forum
 
-We get about 30 posts a week. These came up most often, thanks to everyone who took part!
 
+1. Undo for deleted playlists
+2. Crossfade between songs, adjustable from 0 to 12 seconds
+3. A dark icon
+4. Search should find songs with accents when they are typed without
 
-Some of you asked for lyrics. We talked to two providers, both are too expensive at the moment.
 
-Version 8 is planned for spring. If you want to test it, you must join the beta group.
`,
  'policy turned into a feature': `
-# Retention of applicant data
 
-## Legal background
-Data of applicants who were not hired must be deleted six months after the decision. The inspector found
-files from 2016.
 
-## What changes in the software
 
+- Each application gets a date of decision.
+- Six months after it the documents, the notes and the mails of the applicant are deleted.
+- The statistics keep year, position and result, without names.
+- HR sees a list of what will be deleted in the next 14 days.
+- A person in HR can postpone a deletion once, with a reason, by up to three months.
 
-## What stays manual
-Paper files. The office has a shredder.
 
-## Training
-Everybody in HR takes part in a course of one hour. Dates will be announced by the works council.
`,
  'math exercise generator': `
-Task for the working students: exercise generator
 
-Teachers lose a lot of time with exercises for fractions. We want to help them with a small program.
 
-Requirements at a glance
 
+(1) The program generates 20 exercises of the form a/b + c/d.
+(2) Denominators are between 2 and 12.
+(3) No exercise appears twice on a sheet.
+(4) Solutions are printed on a second page.
+(5) With the option --seed the same sheet is generated again.
 
-Language and tools
 
+Python 3.12, only the standard library. The code is checked with ruff.
 
-Supervision
 
-Frau Adler meets you every Tuesday. You should prepare questions. Hours are written down by yourselves.
 
-Result
 
+At the end there is a repository with a README that shows two example sheets.
`,
  'MoSCoW list for a school app': `
-# School app, first release
 
-Collected in the workshop on 12 January with four teachers, two parents and the headmaster.
 
-## Must have
+- Parents report an absence before 8:00 with two taps
+- Teachers see the absences of their lesson
+- Messages to a class reach all parents, also those without a smartphone (by mail)
 
-## Should have
+- Timetable with substitutions
+- Messages can be translated automatically
 
-## Could have
+- Menu of the canteen
 
-## Won't have this time
-- Marks
-- Payments
 
-## Boundary conditions
+Personal data is stored in the country. Administrators of the school cannot read private messages.
-The ministry pays for the first year.
 
-## Minutes
-The headmaster left early. Two parents were afraid that the app replaces talking.
`,
  'README of an internal service to be rewritten': `
-# mail-relay
 
-Sends mails for all other services. The present version is a pile of shell scripts by various authors.
 
-## What the rewrite must keep
 
+* The endpoint \`POST /send\` and its JSON format
+* Retries for 24 hours
+* The list of blocked addresses in \`blocked.txt\`
 
-## What the rewrite changes
 
+* Mails with more than 10 MB are rejected with 413 instead of being dropped.
+* Every mail gets an id that is returned and logged.
+* The queue survives a restart.
 
-## What we do not care about
 
-* HTML rendering
-* Statistics, which marketing gets from elsewhere
 
-## Deployment today
 
-The scripts run on relay-1 as root. It should really not be like that.
 
-## Who to ask
 
-Bojan wrote most of it and is now in team Search.
`,
  'acceptance protocol of a web shop': `
-Acceptance protocol, web shop "Wollmaus"
 
-Date: 3 June. Present: Ms. Ito (client), Tom (agency). Version 0.9.4
 
-Open points to be fixed before the launch:
 
+1. The shipping costs appear only in the last step. They must be shown in the basket.
+2. Photos of yarn are cut off on tablets; show them completely.
+3. The search for "merino" finds nothing although there are 14 products.
+4. Order confirmations come in English. German is needed.
 
-Accepted without remarks: home page, product pages, imprint.
 
-Wishes for a second phase (to be offered separately):
 
-- vouchers
-- a colour filter
 
-Ms. Ito will send the final texts by Friday. Tom reminds her that the domain has to be transferred.
`,
  'rules of a card game to implement': `
-# Implement "Seven up"
 
-My grandfather taught me this game, and I would like to play it in the browser.
 
-## Rules
 
+1. Two to four players get seven cards each. The rest lies face down as the stock.
+2. A player puts down a card with the same suit or the same value.
+3. Whoever cannot play draws one card, and may play it at once.
+4. After a seven the next player draws two cards, unless they play a seven too.
+5. A jack changes the suit. A jack on a jack is forbidden.
+6. The first player without cards wins.
 
-## On the screen
 
+Own cards are open, those of the others are closed. Cards that can be played are lifted a little.
+A message says whose turn it is.
 
-## Opponents
 
+The computer plays the others. It must not know closed cards. A pause of half a second before each move makes it
-feel human.
 
-## Code
 
+One HTML file without a build step. Keep the rules in functions that do not touch the page.
 
-That's it. I don't need sounds or a high score. Looking forward to playing!
`,
  'quality requirements of a map widget': `
-# Map widget, quality
 
-| ID | Quality | Scenario | Measure |
-|----|---------|----------|---------|
+| Q1 | speed | a visitor opens the page on a phone | first tiles after 1.5 s |
+| Q2 | stability | the tile server is down | a grey map with all markers |
+| Q3 | size | any | 60 kB of script |
 
-## Explanations
 
-Q1: tiles come from our own server, so this is realistic. Q3 excludes the style sheet.
 
-## Accessibility
 
+Markers can be reached with the tab key. Each marker has a name. Zooming does not need two fingers.
 
-## How we check
 
-Q1 is measured by Lighthouse every night. The accessibility expert looks at each release.
`,
  'letter of a landlord about a tenant portal': `
-Dear Ms. Park,
 
-thank you for your visit. As discussed I summarise what the tenant portal is about.
 
-We manage 620 flats. Tenants call us about 40 times a day, mostly about repairs and about papers that we have
-sent already.
 
+Tenants should be able to report a repair with a photo. They receive a number and see the state of the repair:
-reported, ordered, done.
+All letters of the last three years are available as PDF.
+Bank details can only be changed with a letter, never in the portal.
+It would be useful if neighbours could lend things to each other, but this is not urgent.
 
+Our caretakers do not have computers. They have to get the orders by text message.
 
-As to the budget, I must first talk to my brother. We could meet in the second week of May.
 
-Yours sincerely
-H. Lindqvist
`,
  'hackathon challenge': `
-# Challenge: quiet streets
 
-Hosted by the city of Graz and the bicycle club.
 
-## The story
-People who cycle with children avoid busy roads. Maps for cars do not help them. Last year 38 children were
-hurt on their way to school.
 
-## The challenge
+Build a prototype that finds a quiet route between two addresses in Graz.
 
+- The route avoids roads with more than 5,000 cars a day
+- Steep parts are marked
+- It works on a phone with one hand
+- Bonus: parents can share a route with other parents
 
-## Data
-You get traffic counts as CSV, the road network from OpenStreetMap, and heights. The counts must not be
-published.
 
-## Judging
-| Criterion | Points |
-|---|---|
-| Usefulness | 10 |
-| Technical quality | 5 |
-| Pitch | 5 |
 
-## Prizes
-The winners receive 1,000 euros and a tandem.
`,
  'support macro redesign': `
-### Context
-Agents answer 300 tickets a day with macros. There are 412 macros, most of them outdated. An agent needs
-about a minute to find one.
 
-### Scope
+Search over title and text of macros, with results while typing.
+Macros that nobody used for 90 days are archived automatically; an admin can bring them back.
+Placeholders such as \`{{name}}\` are filled in when a macro is inserted. A missing value is highlighted and blocks
-sending.
 
-### Out
-- Sharing between companies
 
-### Technical approach (proposal)
-The search could use the index that we have for tickets. Archiving is a nightly job.
 
-### Success
+Median time to find a macro below 15 seconds, measured over a week.
 
-### Risks
-Agents have to get used to it. The old shortcut should keep working.
`,
  'embedded display spec with notes': `
-# Fuel gauge display, requirements
 
-Note: numbers in brackets refer to the system specification.
 
+R1 [4.2] The display shall show the fuel level in steps of 1/8.

+R2 [4.2] The reserve lamp shall be lit when less than 6 litres remain.
-   Rationale: 6 litres are enough for 80 km.
+R3 [4.5] After ignition the pointer shall reach its position within 2 s.
-   Rationale: drivers should not have to wait.
+R4 [5.1] The brightness shall follow the ambient light.
-   Open: which sensor is used?
 
-Verification: R1 to R3 by test on the bench, R4 by demonstration. The bench has to be reserved.
`,
  'newsletter sign-up box': `
-**Task**
 
+Create a sign-up box as a web component \`<news-box>\`.
 
-**Behaviour**
 
+- one field for the mail address and a button
+- invalid addresses are reported next to the field, not in a dialog
+- after success the box is replaced by a thank-you text
+- the attribute \`lang\` switches between \`en\` and \`fi\`
+- no request is sent before the button is pressed
 
-**Look**
 
+Inherits font and colours of the page. It is never wider than 480 px.
 
-**Hints**
 
-Our API is described at https://api.example.org/docs. It answers 409 if the address is known; visitors should not
-be able to find out who is subscribed.
 
-**Deliver**
 
+A single file \`news-box.js\` and a page \`demo.html\` that shows both languages.
`,
  'PRD of a bike rental app': `
-# PRD: Damage reports in the rental app
 
-Status: in review. Owner: Amara. Last edited 2026-04-02.
 
-## 1. Problem
-Every tenth bike comes back with a defect that nobody reports. Mechanics find out when the next customer
-complains. We must get better at this.
 
-## 2. Goals and metrics
-- 30 % more reported defects
-- Fewer refunds because of broken bikes
 
-## 3. Personas
-- Riders, who are in a hurry
-- Mechanics, who wear gloves
 
-## 4. Functional requirements
-### 4.1 Reporting
+1. At the end of a ride the app asks "Is everything fine?".
+2. If the rider says no, a picture of the bike is shown, on which parts can be tapped.
+3. A photo can be added but is not required.
+4. A report takes at most four taps.
 
-### 4.2 Handling
+1. A bike with a defect of the brakes is locked at once.
+2. Mechanics see reports sorted by distance.
+3. Closing a report requires a scan of the bike.
 
-## 5. Non-functional requirements
+- Reports made without a connection are sent later.
+- Photos are stored for 60 days, then deleted.
+- The app should not grow by more than 3 MB.
 
-## 6. Out of scope
-- Accidents with persons
-- Cargo bikes
 
-## 7. Open questions
-- Do riders get a voucher for a report?
 
-## 8. Release plan
-Beta with 200 riders in June. The support team has to be trained before that.
`,
  'small issue in a charting library': `
-# Tooltip flickers at the right edge
 
-**Version** 4.1.0, Chrome 131
 
-**Describe the bug**
-When I hover over the last bar, the tooltip appears and disappears all the time. I think that it covers the
-mouse pointer.
 
-**To reproduce**
-1. Open the example "sales"
-2. Move the mouse slowly to the right
 
-**Expected behaviour**
+The tooltip stays visible and is placed on the left of the pointer if there is no space on the right.
 
-**Additional context**
-It worked in 3.9. I had a quick look at \`position.ts\` and the width seems to be measured too early.
 
-**Maintainer notes**
+- fix in \`position.ts\`, not in the chart types
+- add a visual test for all four edges
-- I can review on weekends only
`,
  'specification of a coupon service': `
-# Coupon service
 
-## Terminology
-A *coupon* is a code that lowers the price of a basket. A *campaign* is a set of coupons.
 
-## Coupons
 
+A coupon consists of ten characters without 0, O, 1 and I.
+A coupon can be redeemed once unless its campaign says otherwise.
+Two coupons of the same campaign cannot be combined.
 
-## Redeeming
 
+\`POST /redeem\` takes a coupon and a basket and returns the lowered price.
 
-| case | status | body |
-|---|---|---|
+| valid | 200 | price and name of the campaign |
+| unknown | 404 | \`{"reason": "unknown"}\` |
+| expired | 410 | \`{"reason": "expired"}\` |
 
+Redeeming the same coupon twice at the same time succeeds only once.
+More than ten wrong codes a minute from the same address are answered with 429.
 
-## Campaigns
 
+A campaign has a begin, an end and a budget. When the budget is used up, its coupons expire.
+Marketing may stop a campaign at any time.
 
-## Why not the shop's own coupons?
-They cannot be limited, and last Christmas one code went viral. It cost 40,000 euros in one night.
`,
  'client brief for a logo animation': `
-Hi Lou,
 
-here comes the brief for the logo animation. Sorry it took a week, we had the auditors here.
 
-What it is for: the start of our videos and the loading screen of the app.
 
+The animation lasts two to three seconds. The leaf grows first, then the letters appear from left to right.
+It has to work on white and on dark green. No sound.
+Please deliver it as Lottie and as MP4 with a transparent background.
+The file for the app must stay under 100 kB.
 
+The logo was drawn by my sister in 2009 and is a bit of a holy cow, so please do not change its shape.
+Ideally the animation can be looped.
 
-We looked at the one of Spruce, which is lovely but much too long.
 
-Budget is 1,500. I'm in the office until the 20th and then on a boat without internet. Let's talk on Thursday!
 
-Best, Petronella
`,
  'ADR about time zones': `
-# ADR 7: Time zones
 
-## Status
-Accepted, 3 May 2026
 
-## Context
-Appointments are stored as local times without a zone. Since we have clinics in Lisbon, reminders go out at the
-wrong hour. In winter two patients came an hour late. Support should not have to explain this.
 
-## Decision
 
+We store all times in UTC together with the zone of the clinic.
 
+- The API accepts and returns ISO 8601 with an offset.
+- Times without an offset are rejected with 400.
+- The interface shows times in the zone of the clinic, never in that of the browser.
+- Existing appointments are migrated once, by a script that can be run again without harm.
 
-## Alternatives
 
-- Keep local times and store the zone beside them. Simple, but every query would have to convert.
-- Use the zone of the browser. Patients who travel must not be confused, so we dropped it.
 
-## Consequences
 
-- Reports have to be rewritten, which takes about a week
-- Developers must learn to think in UTC
`,
  'user stories for a canteen': `
-# Canteen pre-order
 
-## US-1 Order in the morning
 
+As an employee I want to order my lunch until 10:00 so that I don't have to queue.
 
-Acceptance criteria:
 
+- The menu of the day is visible from 7:00
+- An order can be changed or cancelled until 10:00
+- After 10:00 the button is disabled and says why
 
-## US-2 Cook's overview
 
+As a cook I want to see how many portions of each dish are ordered.
 
-Acceptance criteria:
 
+- Numbers are updated without reloading
+- Allergies are listed with the name of the guest
+- The list can be printed on one page
 
-Notes: the printer in the kitchen is from 2008 and only understands PDF 1.4. Francesca will be happy about
-bigger letters.
 
-## US-3 Pay
 
+As an employee I want to pay with my badge.
 
-Given a badge with enough credit
-When an order is picked up
+Then the price is deducted
+And the badge reader beeps once
 
-## Team agreements
-We estimate on Mondays. A story is only started when its texts are approved.
`,
  'checklist for a podcast episode page': `
-# Episode page, checklist before publishing
 
-Fill it in for each episode. Last time we forgot the transcript and got 20 mails.
 
-### Text
+- [ ] Title has the number of the episode and the name of the guest
+- [ ] Summary between 300 and 500 characters
+- [ ] Every person mentioned is linked once
 
-### Audio
+- [ ] MP3 with 128 kbit/s, mono
+- [ ] Chapters are set
+- [ ] No silence longer than two seconds
 
-### Accessibility
+- [ ] The transcript is complete and names the speakers
+- [x] Player can be used with the keyboard
 
-### Who does what
-- Jun: sound
-- Merle: text, has to leave at four on Fridays
 
-### If the upload fails
-Wait ten minutes and try again. Don't delete the draft. Call Jun.
`,
  'assignment in web development': `
-# Web development II, project 2
 
-**Deadline:** 8 December, 18:00 (no extensions). **Points:** 40. **Groups:** two or three students.
 
-## Learning objectives
-You can structure a single-page application and know how to test it.
 
-## Task
+Write a web application in which a flat share can split its expenses.
 
-## Requirements
+- Members can be added and removed.
+- An expense has an amount, a date, a payer and the members who share it.
+- The page shows who owes whom how much, with as few payments as possible.
+- All data survives a reload of the page (use \`localStorage\`).
+- The application is usable at a width of 360 px.
+- Rounding never loses a cent.
 
-## Technology
+You may use any framework, but no component library.
+TypeScript is mandatory; \`any\` is forbidden.
 
-## Bonus
+Export as CSV (2 points). Several currencies (4 points).
 
-## Submission
-Submit a link to your repository. The README must say who did what. Code that does not build gets zero points.
-Plagiarism has to be reported.
 
-## Help
-Office hours are on Tuesday. Please prepare your questions.
`,
  'notion page for a feature': `
-# 🗓 Shared calendars
 
-**Status:** 🟡 Discovery · **DRI:** Noa · **Designs:** [Figma](https://example.org/f)
 
-## 💡 Why
-Families use our app on three phones and still write everything on the fridge. In the survey 41 % asked for it.
 
-## ✅ What
 
+- A calendar can be shared with up to six people
+- Everyone sees changes within ten seconds
+- Each person has a colour
+- The owner can remove a person at any time; that person loses access immediately
 
-## 🚫 What not
 
-- Sharing with people without an account
-- Comments
 
-## 🧪 Edge cases
 
+- Two people edit the same event: the later change wins, the other person gets a notice
+- The owner deletes their account: the calendar passes to the person who joined first
 
-## 📈 Success
-We want 10 % of active families to share a calendar within a quarter.
 
-## ❓Questions
-- Do we need read-only members?
`,
  'RFC for a queue library': `
-# RFC 0044: Dead letters
 
-- Authors: A. Petrov
-- Status: Accepted
-- Discussion: https://example.org/rfcs/44
 
-## Summary
 
-Messages that fail again and again block the queue. This RFC adds a place for them.
 
-## Motivation
 
-Last quarter a single malformed message stopped invoicing for nine hours. Operators had to delete it by hand in the
-database, which they should never have to do.
 
-## Design
 
+A message that failed \`maxAttempts\` times is moved to the dead letter queue of its topic.
+The dead letter keeps the payload, the headers and the last error.
+\`maxAttempts\` defaults to 5 and can be set for each topic.
 
+Dead letters MUST NOT be delivered to ordinary consumers.
+The command \`queue redrive TOPIC\` moves them back, oldest first.
+Redriving SHOULD be limited to 100 messages per second.
 
-### Naming
 
+The dead letter queue of \`orders\` is called \`orders.dead\`.
 
-## Drawbacks
 
-More storage. Somebody must look at the dead letters from time to time.
 
-## Alternatives
 
-We could drop such messages after a day, as Kestrel does. This would require consumers that tolerate gaps.
 
-## Unresolved
 
-Should dead letters expire?
`,
  'ticket with nested acceptance': `
-**WEB-3310: Password strength meter**
 

+As a new customer I want to see how strong my password is, so that I choose a good one.
 
-*Details*
 
+- The meter has four steps: weak, fair, good, strong
+  - the step is also written as text, not only shown as a colour
+  - screen readers announce a change of the step, at most once per second
+- Passwords from the list of the 10,000 most common ones are always weak
+- The meter never blocks: a weak password can still be used
 
-*Tech*
 
+- use the existing package \`zxcvbn-ts\`, loaded on demand
-- Bundle size was discussed with the platform team
 
-*QA*
 
-Please test with VoiceOver. Ilse has the test accounts.
`,
  'article commission': `
-Dear Mr. Osei,
 
-we would be delighted if you wrote for our spring issue. The subject is "Rivers in the city".
 
+We imagine a text of 9,000 to 10,000 characters, including spaces.
+It should be written for readers who know the city but not its history.
+At least two of the five rivers have to appear: the Wandle and the Neckinger.
+Please do not use footnotes; sources go into a box at the end.
+A portrait of one person who works on a river would be wonderful.
 
-The fee is 600 pounds. The text must reach us by 20 January, and you will get the proofs a week later.
-Our photographer, Ms. Hale, will contact you. In our last issue we had a text about bridges, so you need not
-mention them.
 
-With kind regards
-Judith Abara
`,
  'CLI man page as a spec': `
-# wc2: count words, again
 
-## NAME
-wc2 - count words, lines and characters of files
 
-## SYNOPSIS
 
-    wc2 [-l] [-w] [-m] [FILE...]
 
-## DESCRIPTION
 
+Without options wc2 prints lines, words and characters, in this order.
+Without FILE, or if FILE is \`-\`, it reads standard input.
+With more than one file a line with the totals follows.
+Numbers are right-aligned to the widest one.
 
-## OPTIONS
 
+- \`-l\` prints the number of lines
+- \`-w\` prints the number of words
+- \`-m\` prints the number of characters, not bytes
 
-## EXIT STATUS
 
+0 if all files could be read, 1 otherwise. Files that cannot be read are named on standard error, and the
-others are still counted.
 
-## HISTORY
 
-wc appeared in the first Unix. The -m option was added much later.
`,
  'quality checklist of a translation': `
-# Checklist: German translation of the app
 
-Translator: Lore. Reviewer: Ben. Tool: Weblate.
 
-## Language
 
+* Users are addressed with "du"
+* Gender-neutral forms where they exist
+* Dates as 31.12.2026, decimal comma
 
-## Terms
 
-| English | German |
-|---|---|
-| sign in | anmelden |
-| dashboard | Übersicht |
 
-## Technique
 
+* Placeholders such as \`{name}\` are unchanged
+* No string is longer than 130 % of the English one
+* Plural forms are complete
 
-## Before you start
 
-Read the style guide. Ask for access to Weblate. You should know the app from a test account.
`,
  'integration requirements': `
-# Integration with the accounting system "Ledger"
 
-## 1 Current situation
-Invoices are exported once a month and sent by mail. Two people need a day to enter them.
 
-## 2 Target
 
+2.1 Every invoice is transferred to Ledger within five minutes after its release.
+2.2 Credit notes are transferred in the same way and refer to their invoice.
+2.3 A payment that Ledger reports sets the invoice to "paid".
 
-## 3 Error handling
 
+3.1 If Ledger cannot be reached, transfers are repeated for 24 hours.
+3.2 An invoice that Ledger rejects is listed with the reason on the page "Transfers".
+3.3 No invoice may be transferred twice.
 
-## 4 Data protection
 
+4.1 Only the fields in annex A are transferred.
+4.2 Access data for Ledger must not be readable in the interface.
 
-## 5 Cooperation
 
-5.1 The customer provides a test system of Ledger.
-5.2 Questions about Ledger are answered by Mr. Weiss within two days.
-5.3 The project language is English.
`,
  'bug bash result': `
-# Bug bash, Friday 14:00 to 16:00
 
-Eleven people took part, thanks for the cake, Ravi!
 
-## To fix before release
 
+1. Search: umlauts are not found when typed as "ae"
+2. Cart: the quantity can be negative
+3. Login: the error says "undefined" after five attempts. It should say how long to wait.
+4. Profile pictures above 5 MB must be refused with a message, not with a blank page
 
-## Can wait
 
-- Order of the filters
-- Typo in the imprint
 
-## Not a bug
 
-- Slow on Ravi's laptop. It was in energy saving mode.
 
-## Organisation of the next bash
 
-Somebody should bring an iPad. We must start on time.
`,
};
