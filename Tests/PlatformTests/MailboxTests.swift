import Platform
import Testing

@Suite struct MailboxTests {
    @Test func `messages are taken in order, as many as weigh no more than is asked for`() {
        let mailbox = Mailbox<Int>(mostWeight: 91)
        for (number, weight) in [30, 30, 30, 1].enumerated() {
            #expect(mailbox.post(number, weight: weight))
        }
        #expect(!mailbox.post(4, weight: 1), "it is full")
        #expect(mailbox.take(upToWeight: 60) == [0, 1])
        #expect(mailbox.take(upToWeight: 10) == [2], "one is taken, however heavy")
        #expect(mailbox.post(5, weight: 1_000), "a heavy one needs no more room")
        mailbox.close()
        #expect(!mailbox.post(6, weight: 1))
        #expect(mailbox.take(upToWeight: 1) == [3])
        #expect(mailbox.take(upToWeight: 1) == [5])
        #expect(mailbox.take(upToWeight: 1) == [])
    }

    @Test func `what many threads leave is taken once each, and in the order of each`() {
        let mailbox = Mailbox<[Int]>(mostWeight: 50)
        let senders = (0..<4)
            .compactMap { sender in
                WorkerThread<Int> {
                    var count = 0
                    while count < 2_000 {
                        if mailbox.post([sender, count], weight: 1) { count += 1 }
                    }
                    return count
                }
            }
        var taken = [Int](repeating: 0, count: senders.count)
        while taken.reduce(0, +) < 2_000 * senders.count {
            let messages = mailbox.take(upToWeight: 20)
            #expect(1...20 ~= messages.count)
            for message in messages {
                #expect(message[1] == taken[message[0]])
                taken[message[0]] += 1
            }
        }
        #expect(senders.map { $0.join() } == [2_000, 2_000, 2_000, 2_000])
    }
}
